// Who is ahead in material: by this games that end at the ply cap are adjudicated.
#pragma once

#include "engine/board/position.h"
#include "engine/rules/verdict.h"

namespace chuhe {

// Red's men less Black's, in pawns that have not crossed the river: rook 9, cannon 4.5, knight 4,
// advisor and bishop 2, pawn 1, across the river 2.
double MaterialBalance(const Position& position);

// A loss for the side that is behind by `margin` pawns or more, if the other one has a man that can
// cross the river; else a draw.
Outcome AdjudicateByMaterial(const Position& position, double margin);

}  // namespace chuhe
