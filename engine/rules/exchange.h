// Exchanges on one point, played out with legal moves: who wins material by starting one.
#pragma once

#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

// What a unit counts where it stands, in the ratios of the Chinese rules: a rook is worth two
// knights or cannons, which are worth two of the small men each; a pawn that has not crossed the
// river is worth less than those. A king is beyond price.
int ExchangeValue(const Position& position, Unit unit);

// What the side to move gains at best by captures on the square, each side taking with its
// least valuable man and stopping when it likes. 0 if it had better not begin.
int ExchangeGain(Position* board, Square square);

}  // namespace chuhe
