// A position: the men on their points and the side to move, with make and undo.
//
// No history and no rules beyond the moves of the men: counters and repetitions belong to
// engine/rules/game.h.
#pragma once

#include <cstdint>

#include "engine/board/bitboard.h"
#include "engine/board/tables.h"
#include "engine/board/types.h"

namespace chuhe {

// What Make() hands to Unmake(): the words that it changed, so that taking back is storing alone.
struct Undo {
  Bitboard occupied[2];
  uint64_t key = 0;  // of the position before the move
  Unit moved = kNoUnit;
  Unit captured = kNoUnit;  // kNoUnit when nothing was taken
};

// Owned by one thread; cheap to copy.
class Position {
 public:
  // An empty board, Red to move. Positions from outside come from ParseFen (fen.h), which checks
  // them; PlaceUnit() is for it and for tests.
  Position();
  // The start position of the game.
  static Position Start();

  Color side_to_move() const { return side_; }
  // kNoUnit where the point is empty.
  Unit unit_at(Square square) const { return points_[kMargin + square]; }
  bool is_empty(Square square) const { return unit_at(square) == kNoUnit; }
  // kNoSquare when the unit is not on the board.
  Square square_of(Unit unit) const { return square_of_[unit]; }
  Square king_square(Color color) const { return square_of_[KingOf(color)]; }
  const Bitboard& occupied(Color color) const { return occupied_[Index(color)]; }
  Bitboard occupied() const { return occupied_[0] | occupied_[1]; }
  Bitboard pawns(Color color) const {
    Bitboard pawns;
    const Unit first = FirstUnit(color, PieceType::kPawn);
    for (int i = 0; i < UnitCount(PieceType::kPawn); ++i) {
      pawns |= kSquareBits[square_of_[first + i]];
    }
    return pawns;
  }
  // Which of the four points at these distances from `square` are empty, the first one in bit 0.
  // Beyond the board counts as empty, beyond the side as the next rank.
  template <int kFirst, int kSecond, int kThird, int kFourth>
  unsigned EmptyAround(Square square) const {
    static_assert(kNoUnit == 32, "a free point is the one with bit 5 set");
    const Unit* const centre = points_ + kMargin + square;
    return (unsigned{centre[kFirst]} & 32) >> 5 | (unsigned{centre[kSecond]} & 32) >> 4 |
           (unsigned{centre[kThird]} & 32) >> 3 | (unsigned{centre[kFourth]} & 32) >> 2;
  }
  // How many men of a kind a side has.
  int count(Color color, PieceType type) const;

  // Zobrist key of the board by piece kinds and of the side to move, kept incrementally.
  uint64_t key() const { return key_; }
  uint64_t ComputeKey() const;

  // Plays a move that obeys the moves of the men. Whether it leaves the own king attacked is for
  // the caller to know (GenerateLegal, IsLegal).
  Undo Make(Move move);
  void Unmake(Move move, const Undo& undo);
  // Gives the turn to the other side, without a move.
  void SwitchSide();

  // Puts the next free unit of the kind on an empty point; false when a set has no more of them.
  bool PlaceUnit(Color color, PieceType type, Square square);
  void set_side_to_move(Color color);

  // The same board and side to move; units of a kind may have changed places.
  friend bool operator==(const Position& a, const Position& b);

 private:
  static constexpr int kMargin = 10;

  Color side_ = Color::kRed;
  uint64_t key_ = 0;
  Bitboard occupied_[2];
  Unit points_[kMargin + kSquares + kMargin];  // with a margin of empty points around
  Square square_of_[kUnits + 1];               // the last entry takes what concerns no unit
};

// Inline and without branches, since search and perft live on these two.
inline Undo Position::Make(Move move) {
  const Square from = move.from();
  const Square to = move.to();
  const Unit unit = unit_at(from);
  const Unit captured = unit_at(to);
  const Color us = side_;
  const Undo undo{{occupied_[0], occupied_[1]}, key_, unit, captured};

  occupied_[Index(us)] ^= kSquareBits[from] ^ kSquareBits[to];
  occupied_[Index(Opponent(us))] &= ~kSquareBits[to];
  const uint64_t* mover_keys = kZobrist.men[kKindOfUnit[unit]];
  key_ ^= mover_keys[from] ^ mover_keys[to] ^ kZobrist.men[kKindOfUnit[captured]][to] ^
          kZobrist.black_to_move;
  side_ = Opponent(us);
  points_[kMargin + from] = kNoUnit;
  points_[kMargin + to] = unit;
  square_of_[captured] = kNoSquare;
  square_of_[unit] = to;
  return undo;
}

inline void Position::Unmake(Move move, const Undo& undo) {
  occupied_[0] = undo.occupied[0];
  occupied_[1] = undo.occupied[1];
  key_ = undo.key;
  side_ = ColorOf(undo.moved);
  points_[kMargin + move.from()] = undo.moved;
  points_[kMargin + move.to()] = undo.captured;
  square_of_[undo.captured] = move.to();
  square_of_[undo.moved] = move.from();
}

}  // namespace chuhe
