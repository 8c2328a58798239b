// Dividing a batch among evaluators.
#pragma once

#include <cstddef>
#include <span>

#include "engine/eval/evaluator.h"

namespace chuhe {

// Share number `part` of `parts`, in order; shares differ by one request at most.
inline std::span<EvaluationRequest> ShareOf(std::span<EvaluationRequest> requests, size_t part,
                                            size_t parts) {
  const size_t begin = requests.size() * part / parts;
  const size_t end = requests.size() * (part + 1) / parts;
  return requests.subspan(begin, end - begin);
}

}  // namespace chuhe
