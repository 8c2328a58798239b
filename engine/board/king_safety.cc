#include "engine/board/king_safety.h"

#include <cassert>
#include <iterator>
#include <memory>

#include "engine/board/attacks.h"
#include "engine/board/tables.h"

namespace chuhe {

KingSafety::KingSafety(const Position& position) {
  const Color us = position.side_to_move();
  const Color them = Opponent(us);
  const Square king = position.king_square(us);
  const Point point = kPoints[king];
  const auto square_of = [&](PieceType type, int i) {
    return position.square_of(static_cast<Unit>(FirstUnit(them, type) + i));
  };
  const auto on_line = [&](Square from) {
    return from != kNoSquare &&
           (kPoints[from].file == point.file || kPoints[from].rank == point.rank);
  };
  for (int i = 0; i < 2; ++i) {
    const Square rook = square_of(PieceType::kRook, i);
    if (on_line(rook)) AddLine(position, king, rook, /*cannon=*/false);
    const Square cannon = square_of(PieceType::kCannon, i);
    if (on_line(cannon)) AddLine(position, king, cannon, /*cannon=*/true);
    const Square knight = square_of(PieceType::kKnight, i);
    if (knight != kNoSquare && kTables.knight_leg[knight][king] != kNoSquare) {
      AddKnight(position, king, knight);
    }
  }
  const Square other_king = position.king_square(them);
  if (kPoints[other_king].file == point.file) {
    AddLine(position, king, other_king, /*cannon=*/false);
  }
  ForEachSquare(AttackingPawns(position, king, them), [&](Square pawn) {
    Add({{}, {}, kSquareBits[pawn]});
  });
}

void KingSafety::AddLine(const Position& position, Square king, Square from, bool cannon) {
  const Bitboard between = kTables.between[king][from];
  const Bitboard men = between & position.occupied();
  const Bitboard ours = men & position.occupied(position.side_to_move());
  const Bitboard attacker = kSquareBits[from];
  const int count = men.count();
  if (!cannon) {
    if (count == 0) Add({{}, {}, between | attacker});
    if (count == 1 && !ours.empty()) Add({ours, between | attacker, Bitboard::All()});
    return;
  }
  if (count == 0) Add({{}, {}, ~between});
  if (count == 1) Add({ours, ~between, (between & ~men) | attacker});
  if (count == 2 && !ours.empty()) Add({ours, (between & ~men) | attacker, Bitboard::All()});
}

void KingSafety::AddKnight(const Position& position, Square king, Square from) {
  const Bitboard leg = kSquareBits[kTables.knight_leg[from][king]];
  const Bitboard attacker = kSquareBits[from];
  if ((leg & position.occupied()).empty()) {
    Add({{}, {}, leg | attacker});
  } else if (!(leg & position.occupied(position.side_to_move())).empty()) {
    Add({leg, attacker, Bitboard::All()});
  }
}

void KingSafety::Add(const Demand& demand) {
  assert(count_ < static_cast<int>(std::size(demands_)));
  std::construct_at(&demands_[count_++], demand);
  targets_ &= demand.targets;
  special_men_ |= demand.special_men;
}

Bitboard KingSafety::SpecialTargets(Square from) const {
  Bitboard targets = Bitboard::All();
  for (int i = 0; i < count_; ++i) {
    const Demand& demand = demands_[i];
    targets &= demand.special_men.contains(from) ? demand.special_targets : demand.targets;
  }
  return targets;
}

}  // namespace chuhe
