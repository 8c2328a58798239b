// Several devices as one evaluator: submitted batches go to them in turn, whole.
//
// For batches of different lengths that come from many threads BatchingEvaluator divides the work
// better, as there a device that is done takes the next batch itself.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/eval/evaluator.h"

namespace chuhe {

// Owned by one thread.
class AlternatingEvaluator : public Evaluator {
 public:
  // At least one part. Parts that do their work in Submit() itself belong into an AsyncEvaluator
  // each, or they work one after the other. The answers must not depend on which part gives them.
  explicit AlternatingEvaluator(std::vector<std::unique_ptr<Evaluator>> parts);

  // Splits the batch over all parts.
  void Evaluate(std::span<EvaluationRequest> requests) override;
  void Submit(std::span<EvaluationRequest> requests) override;
  void Wait() override;
  int max_in_flight() const override { return max_in_flight_; }

 private:
  std::vector<std::unique_ptr<Evaluator>> parts_;
  int max_in_flight_;
  size_t submitted_ = 0;
  size_t fetched_ = 0;
};

}  // namespace chuhe
