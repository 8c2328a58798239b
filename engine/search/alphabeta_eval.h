// The static evaluation of the built-in alpha-beta engine: classic material values with what the
// tutorials know about phases, pairs, pawns, the hollow cannon and the palace.
#pragma once

#include "engine/board/position.h"

namespace chuhe {

// In hundredths of a pawn that has not crossed the river, from the side to move's point of view and
// within ±kMaxEvaluation. The same for a position left–right mirrored, and for one turned by half
// with the colours changed. Does not see whether men hang, nor checks: searches do.
int Evaluate(const Position& position);

// The classic values, for ordering moves: rook 900, knight 400, cannon 450, advisor and bishop 200,
// pawn 100 (200 once across), king more than all others together.
int ClassicValue(const Position& position, Unit unit);

}  // namespace chuhe
