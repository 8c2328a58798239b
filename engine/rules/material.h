// Material with which nobody can win any more.
#pragma once

#include "engine/board/position.h"

namespace chuhe {

// Whether the position is a draw by material, under every rule set. The rule books have no table:
// there a draw is agreed when neither side can win; this is the one of Pikafish
// (Position::rule_judge). The side to move must have a legal move.
bool IsInsufficientMaterial(const Position& position);

// Whether the side to move has a move after which the other side has none.
bool HasWinInOne(const Position& position);

}  // namespace chuhe
