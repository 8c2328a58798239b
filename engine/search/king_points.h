// Which points have to do with whether a king is attacked: so that most moves can be seen not to
// attack it without being made.
#pragma once

#include <array>

#include "engine/board/bitboard.h"
#include "engine/board/tables.h"
#include "engine/board/types.h"

namespace chuhe {

// Points where a man, whatever he is, may decide whether the king on a point is attacked: the
// king's lines, on which rooks, cannons, pawns and the other king look at it, and the legs of
// knights beside it.
extern const std::array<Bitboard, kSquares> kKingPoints;

// Immutable.
class CheckFilter {
 public:
  // For moves against a king on that point.
  explicit CheckFilter(Square king)
      : from_(kKingPoints[king]), to_(from_ | kTables.knight[king][kAllLegsFree]) {}

  // False: the move attacks the king for certain not, if it was not attacked before.
  bool MayAttack(Move move) const { return from_.contains(move.from()) || to_.contains(move.to()); }

 private:
  static constexpr unsigned kAllLegsFree = 15;

  Bitboard from_;
  Bitboard to_;  // those, and where knights stand that attack it
};

}  // namespace chuhe
