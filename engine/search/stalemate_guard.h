// Spares the search for mates most tests whether a quiet move stalemates.
//
// A stalemate needs all moves of the other side gone. One reply of it is looked for, far from its
// king's lines, that hardly any move can spoil: as long as the king is not attacked and nothing has
// landed on the points that the reply needs, it is legal, and so there is no stalemate.
#pragma once

#include "engine/board/bitboard.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

// Immutable.
class StalemateGuard {
 public:
  // For moves in this position.
  explicit StalemateGuard(const Position& position);

  // Whether the other side has a legal reply for certain, after a move of this position that does
  // not attack its king. False: it has to be counted.
  bool LeavesReply(Move move) const { return has_reply_ && !needs_.contains(move.to()); }

 private:
  bool has_reply_ = false;
  Bitboard needs_;  // where the attacker's man would spoil the reply
};

}  // namespace chuhe
