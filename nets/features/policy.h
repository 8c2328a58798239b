// The moves that a network knows, from the side to move's view: 2,062 pairs of points, each of one
// of 50 shapes.
//
// 2,038 pairs are a rook's or a knight's way apart, anywhere on the board; 24 are the steps of the
// own advisors (8) and bishops (16).
#pragma once

#include <cassert>
#include <cstdint>

#include "engine/board/types.h"

namespace chuhe {

constexpr int kPolicyMoves = 2062;

// The displacements: 16 along the rank, 18 along the file, 8 of knights, 4 of advisors, 4 of
// bishops, in this order; within a group by rank difference, then by file difference.
constexpr int kMoveShapes = 50;

// The move as the side to move sees it, and back (the same operation).
constexpr Move SeenBy(Color side, Move move) {
  return side == Color::kRed ? move : Move(Turned(move.from()), Turned(move.to()));
}
constexpr Move Mirrored(Move move) { return Move(Mirrored(move.from()), Mirrored(move.to())); }

// Look-up tables behind the functions below. Constant data, there before any code runs.
struct PolicyTables {
  static constexpr int kMoveBits = 1 << 14;
  int16_t index[kMoveBits];  // by Move::bits(); −1 where no man can ever go
  uint8_t shape[kMoveBits];
  uint16_t move_bits[kPolicyMoves];
};
extern const PolicyTables kPolicyTables;

// Number of a seen move from 0 to kPolicyMoves − 1, ordered by from, then by to; −1 if no man can
// ever make it.
inline int PolicyIndex(Move seen) {
  return seen.bits() < PolicyTables::kMoveBits ? kPolicyTables.index[seen.bits()] : -1;
}

// The move of that number.
inline Move PolicyMove(int index) {
  assert(index >= 0 && index < kPolicyMoves);
  return Move::FromBits(kPolicyTables.move_bits[index]);
}

// Shape of a seen move from 0 to kMoveShapes − 1; it must have a policy index.
inline int MoveShape(Move seen) {
  assert(PolicyIndex(seen) >= 0);
  return kPolicyTables.shape[seen.bits()];
}

}  // namespace chuhe
