// The input planes of feature set 1 computed slowly, from the words of docs/formats.md and the
// letters of the reference board: what ExpandPlanes() is compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/eval/evaluator.h"

namespace chuhe {

// levels[point * 48 + plane], as the side to move sees the board.
std::vector<uint8_t> ReferencePlanes(const EvaluationRequest& request);

}  // namespace chuhe
