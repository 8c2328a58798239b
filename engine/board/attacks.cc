#include "engine/board/attacks.h"

#include "engine/board/tables.h"

namespace chuhe {
namespace {

// Points of a rook or cannon, as bitboard.
Bitboard SliderTargets(const Position& position, Square square, bool cannon) {
  const Point point = kPoints[square];
  const Bitboard men = position.occupied();
  const unsigned file_men = men.FileLine(point.file);
  const unsigned rank_men = men.RankLine(point.rank);
  const LineReach file_reach = kTables.line[point.rank][file_men];
  const LineReach rank_reach = kTables.line[point.file][rank_men];
  const unsigned on_file =
      cannon ? (file_reach.rook & ~file_men) | file_reach.cannon : file_reach.rook;
  const unsigned on_rank =
      (cannon ? (rank_reach.rook & ~rank_men) | rank_reach.cannon : rank_reach.rook) & kRankMask;
  Bitboard targets;
  for (unsigned bits = on_file; bits != 0; bits &= bits - 1) {
    targets |= kSquareBits[MakeSquare(point.file, std::countr_zero(bits))];
  }
  for (unsigned bits = on_rank; bits != 0; bits &= bits - 1) {
    targets |= kSquareBits[MakeSquare(std::countr_zero(bits), point.rank)];
  }
  return targets;
}

bool SameLine(Square a, Square b) {
  return kPoints[a].file == kPoints[b].file || kPoints[a].rank == kPoints[b].rank;
}

// Whether the unit, which is on the board and not on `square`, attacks that point. Only a king
// may stand there for facing kings to matter, so `king_target` says so.
bool Attacks(const Position& position, Unit unit, Square square, bool king_target) {
  const Square from = position.square_of(unit);
  const auto screens = [&] {
    return (kTables.between[from][square] & position.occupied()).count();
  };
  switch (TypeOf(unit)) {
    case PieceType::kKing:
      if (king_target) return kPoints[from].file == kPoints[square].file && screens() == 0;
      return kTables.king[from].contains(square);
    case PieceType::kAdvisor:
      return kTables.advisor[from].contains(square);
    case PieceType::kBishop:
      return kTables.bishop[from][FreeEyes(position, from)].contains(square);
    case PieceType::kKnight: {
      const Square leg = kTables.knight_leg[from][square];
      return leg != kNoSquare && position.is_empty(leg);
    }
    case PieceType::kRook:
      return SameLine(from, square) && screens() == 0;
    case PieceType::kCannon:
      return SameLine(from, square) && screens() == 1;
    case PieceType::kPawn:
      return kTables.pawn[Index(ColorOf(unit))][from].contains(square);
  }
  return false;
}

UnitSet Attackers(const Position& position, Square square, Color by, bool king_target) {
  UnitSet attackers = 0;
  const int first = Index(by) * kUnitsPerSide;
  for (int i = first; i < first + kUnitsPerSide; ++i) {
    const Unit unit = static_cast<Unit>(i);
    if (position.square_of(unit) == kNoSquare) continue;
    if (Attacks(position, unit, square, king_target)) attackers |= UnitBit(unit);
  }
  return attackers;
}

}  // namespace

Bitboard PseudoLegalTargets(const Position& position, Unit unit) {
  const Square from = position.square_of(unit);
  const Color us = ColorOf(unit);
  Bitboard targets;
  switch (TypeOf(unit)) {
    case PieceType::kKing:
      targets = kTables.king[from];
      break;
    case PieceType::kAdvisor:
      targets = kTables.advisor[from];
      break;
    case PieceType::kBishop:
      targets = kTables.bishop[from][FreeEyes(position, from)];
      break;
    case PieceType::kKnight:
      targets = kTables.knight[from][FreeLegs(position, from)];
      break;
    case PieceType::kRook:
      targets = SliderTargets(position, from, /*cannon=*/false);
      break;
    case PieceType::kCannon:
      targets = SliderTargets(position, from, /*cannon=*/true);
      break;
    case PieceType::kPawn:
      targets = kTables.pawn[Index(us)][from];
      break;
  }
  return targets & ~position.occupied(us);
}

UnitSet AttackersOfKing(const Position& position, Color color) {
  return Attackers(position, position.king_square(color), Opponent(color), /*king_target=*/true);
}

bool InCheck(const Position& position) {
  const Color us = position.side_to_move();
  return IsAttackedKing(position, position.king_square(us), Opponent(us), position.occupied());
}

bool IsAttackedKing(const Position& position, Square king, Color by, const Bitboard& occupied) {
  const Point point = kPoints[king];
  const auto screens = [&](Square from) {
    return (kTables.between[king][from] & occupied).count();
  };
  const auto on_line = [&](Square from) {
    return from != king && (kPoints[from].file == point.file || kPoints[from].rank == point.rank) &&
           from != kNoSquare;
  };
  const int first = Index(by) * kUnitsPerSide;
  const auto square_of = [&](PieceType type, int i) {
    return position.square_of(static_cast<Unit>(first + FirstUnit(Color::kRed, type) + i));
  };
  for (int i = 0; i < 2; ++i) {
    const Square rook = square_of(PieceType::kRook, i);
    if (on_line(rook) && screens(rook) == 0) return true;
    const Square cannon = square_of(PieceType::kCannon, i);
    if (on_line(cannon) && screens(cannon) == 1) return true;
    const Square knight = square_of(PieceType::kKnight, i);
    if (knight == kNoSquare) continue;
    const Square leg = kTables.knight_leg[knight][king];
    if (leg != kNoSquare && !occupied.contains(leg)) return true;
  }
  if (!AttackingPawns(position, king, by).empty()) return true;
  const Square other_king = position.king_square(by);
  return kPoints[other_king].file == point.file && screens(other_king) == 0;
}

UnitSet AttackersOf(const Position& position, Square square, Color by) {
  return Attackers(position, square, by, /*king_target=*/false);
}

}  // namespace chuhe
