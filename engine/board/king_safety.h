// What the safety of the own king demands of a move, worked out once a position.
//
// Every enemy man that bears on the king, now or after one step of ours, makes a *demand*:
//
//   rook or king, nothing between        check: go between, or take it
//   rook or king, one man of ours        that man stays on the line, or takes it
//   cannon, nothing between              nobody goes between (he would be the screen)
//   cannon, one man between              check: a second man goes between, or take it; a screen of
//                                        ours may leave instead
//   cannon, two men between              each of ours among them stays between, on an empty point,
//                                        or takes it
//   knight, leg free                     check: block the leg, or take it
//   knight, our man on the leg           that man stays, or takes it
//   pawn next to the king                check: take it
//
// A move that is not the king's is legal exactly if it meets all demands; a capture changes
// nothing else, since the point stays occupied. Moves of the king are tested one by one.
#pragma once

#include "engine/board/bitboard.h"
#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

class KingSafety {
 public:
  // Of the side to move.
  explicit KingSafety(const Position& position);

  // Men who play a part in a demand, with targets of their own. All others share `targets()`.
  Bitboard special_men() const { return special_men_; }
  // Points where a man other than the king may go, its own men and the way there not considered.
  Bitboard targets() const { return targets_; }
  Bitboard TargetsOf(Square from) const {
    return special_men_.contains(from) ? SpecialTargets(from) : targets_;
  }

 private:
  // What it wants of the men at `special_men`, and of all others.
  struct Demand {
    Bitboard special_men;
    Bitboard special_targets;
    Bitboard targets;
  };

  void AddLine(const Position& position, Square king, Square from, bool cannon);
  void AddKnight(const Position& position, Square king, Square from);
  void Add(const Demand& demand);
  Bitboard SpecialTargets(Square from) const;

  Bitboard targets_ = Bitboard::All();
  Bitboard special_men_;
  int count_ = 0;
  // Of two rooks, cannons and knights, five pawns and the king. A union, so that the constructor
  // does not clear what it will mostly not use.
  union {
    Demand demands_[12];
  };
};

}  // namespace chuhe
