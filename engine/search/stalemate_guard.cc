#include "engine/search/stalemate_guard.h"

#include <cstdlib>

#include "engine/board/attacks.h"
#include "engine/board/tables.h"
#include "engine/search/king_points.h"

namespace chuhe {
namespace {

// Of a step to an empty point or, but for cannons, of a capture as well.
Bitboard Needs(PieceType type, Square from, Square to) {
  Bitboard needs = kSquareBits[from];
  switch (type) {
    case PieceType::kRook:
      return needs | kTables.between[from][to];
    case PieceType::kCannon:
      return needs | kTables.between[from][to] | kSquareBits[to];
    case PieceType::kKnight:
      return needs | kSquareBits[kTables.knight_leg[from][to]];
    default:
      return needs;
  }
}

constexpr PieceType kFreeMen[] = {PieceType::kPawn, PieceType::kRook, PieceType::kKnight,
                                  PieceType::kCannon};

}  // namespace

StalemateGuard::StalemateGuard(const Position& position) {
  const Color them = Opponent(position.side_to_move());
  const Bitboard quiet = ~kKingPoints[position.king_square(them)];
  for (const PieceType type : kFreeMen) {
    const Unit first = FirstUnit(them, type);
    for (int i = 0; i < UnitCount(type); ++i) {
      const Unit unit = static_cast<Unit>(first + i);
      const Square from = position.square_of(unit);
      if (from == kNoSquare || !quiet.contains(from)) continue;
      Bitboard targets = PseudoLegalTargets(position, unit) & quiet;
      if (type == PieceType::kCannon) targets &= ~position.occupied();
      if (targets.empty()) continue;
      // Of a slider's points one beside it needs the least.
      Square to = kNoSquare;
      ForEachSquare(targets, [&](Square target) {
        if (to == kNoSquare || std::abs(target - from) < std::abs(to - from)) to = target;
      });
      has_reply_ = true;
      needs_ = Needs(type, from, to);
      return;
    }
  }
}

}  // namespace chuhe
