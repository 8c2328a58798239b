#include "engine/search/stalemate_guard.h"

#include <array>
#include <cstdlib>

#include "engine/board/attacks.h"
#include "engine/board/tables.h"

namespace chuhe {
namespace {

// Points that may decide whether a king is attacked: its lines, on which rooks, cannons and the
// other king look at it, and the legs of knights beside it.
Bitboard PointsThatMatter(Square king) {
  const Point king_point = kPoints[king];
  Bitboard points;
  for (int s = 0; s < kSquares; ++s) {
    const Point point = kPoints[s];
    const bool is_on_line = point.file == king_point.file || point.rank == king_point.rank;
    const bool is_leg =
        std::abs(point.file - king_point.file) == 1 && std::abs(point.rank - king_point.rank) == 1;
    if (is_on_line || is_leg) points |= kSquareBits[s];
  }
  return points;
}

const auto kPointsThatMatter = [] {
  std::array<Bitboard, kSquares> points;
  for (int s = 0; s < kSquares; ++s) points[s] = PointsThatMatter(static_cast<Square>(s));
  return points;
}();

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
  const Bitboard quiet = ~kPointsThatMatter[position.king_square(them)];
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
