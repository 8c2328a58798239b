// Planes of boards drawn as text, and planes as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/board/types.h"
#include "engine/eval/evaluator.h"

namespace chuhe {

// A question about a drawn board (tests/engine/board/drawn_board.h), without a past.
EvaluationRequest Question(std::string_view drawing, Color side = Color::kRed);

std::vector<uint8_t> LevelsOf(const EvaluationRequest& request);
std::vector<uint8_t> LevelsOf(std::string_view drawing, Color side = Color::kRed);

// A plane as text, the far rank first: '.' is 0, 'x' is 1, '1' and '2' are thirds.
std::string Picture(const std::vector<uint8_t>& levels, int plane);
// The same from a raw string.
std::string Drawn(std::string_view drawing);

// The points of a plane that are not 0, such as "d0 c1".
std::string PointsOf(const std::vector<uint8_t>& levels, int plane);

// The level of a plane that is the same everywhere; −1 if it is not.
int LevelEverywhere(const std::vector<uint8_t>& levels, int plane);

}  // namespace chuhe
