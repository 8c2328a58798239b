#include "engine/rules/chase.h"

#include <bit>

#include "engine/board/attacks.h"

namespace chuhe {
namespace {

bool IsChaser(PieceType type) { return type != PieceType::kKing && type != PieceType::kPawn; }

// Whether a threat on the victim is a chase even if the victim is protected.
bool IsWorthMore(PieceType victim, PieceType attacker) {
  const bool is_major = victim == PieceType::kKnight || victim == PieceType::kCannon;
  switch (attacker) {
    case PieceType::kKnight:
    case PieceType::kCannon:
      return victim == PieceType::kRook;
    case PieceType::kAdvisor:
    case PieceType::kBishop:
      return victim == PieceType::kRook || is_major;
    default:
      return false;
  }
}

bool IsChase(Position* board, Unit attacker, Unit victim) {
  if (IsWorthMore(TypeOf(victim), TypeOf(attacker))) return true;
  const Square from = board->square_of(attacker);
  const Square to = board->square_of(victim);
  if (TypeOf(attacker) == TypeOf(victim) && MayTakeBack(*board, victim, attacker)) return false;
  const Move capture(from, to);
  const Undo undo = board->Make(capture);
  const bool is_protected = CanLegallyTake(board, to);
  board->Unmake(capture, undo);
  return !is_protected;
}

}  // namespace

UnitSet PairSet::victims() const {
  UnitSet all = 0;
  for (const UnitSet victims : victims_of) all |= victims;
  return all;
}

UnitSet PairSet::AttackersOf(UnitSet victims, Color attacking_side) const {
  UnitSet attackers = 0;
  for (int i = 0; i < kUnitsPerSide; ++i) {
    if ((victims_of[i] & victims) == 0) continue;
    attackers |= UnitBit(static_cast<Unit>(Index(attacking_side) * kUnitsPerSide + i));
  }
  return attackers;
}

PairSet operator-(const PairSet& a, const PairSet& b) {
  PairSet difference;
  for (int i = 0; i < kUnitsPerSide; ++i) {
    difference.victims_of[i] = a.victims_of[i] & ~b.victims_of[i];
  }
  return difference;
}

PairSet operator&(const PairSet& a, const PairSet& b) {
  PairSet both;
  for (int i = 0; i < kUnitsPerSide; ++i) both.victims_of[i] = a.victims_of[i] & b.victims_of[i];
  return both;
}

bool IsObject(const Position& position, Unit unit) {
  switch (TypeOf(unit)) {
    case PieceType::kKing:
      return false;
    case PieceType::kPawn:
      return IsAcrossRiver(ColorOf(unit), position.square_of(unit));
    default:
      return true;
  }
}

bool IsBareCapture(Position* board, Unit attacker, Square square, UnitSet attackers_before) {
  const Color side = ColorOf(attacker);
  const Move capture(board->square_of(attacker), square);
  const Undo undo = board->Make(capture);
  const bool is_attacked =
      IsAttackedKing(*board, board->king_square(side), Opponent(side), board->occupied());
  const bool is_bare = !is_attacked || (AttackersOfKing(*board, side) & ~attackers_before) == 0;
  board->Unmake(capture, undo);
  return is_bare;
}

bool MayTakeBack(const Position& position, Unit victim, Unit attacker) {
  const Square square = position.square_of(attacker);
  Position turned = position;
  turned.set_side_to_move(ColorOf(victim));
  if (!PseudoLegalTargets(turned, victim).contains(square)) return false;
  return IsBareCapture(&turned, victim, square, /*attackers_before=*/0);
}

bool CanLegallyTake(Position* board, Square square) {
  const Color side = board->side_to_move();
  for (UnitSet takers = AttackersOf(*board, square, side); takers != 0; takers &= takers - 1) {
    const Unit taker = static_cast<Unit>(std::countr_zero(takers));
    if (IsBareCapture(board, taker, square, /*attackers_before=*/0)) return true;
  }
  return false;
}

Threats FindThreats(const Position& position, Color side) {
  Position board = position;
  board.set_side_to_move(side);
  const UnitSet attackers_before = AttackersOfKing(board, side);
  Threats threats;
  const int first = Index(side) * kUnitsPerSide;
  for (int i = first; i < first + kUnitsPerSide; ++i) {
    const Unit attacker = static_cast<Unit>(i);
    if (!IsChaser(TypeOf(attacker)) || board.square_of(attacker) == kNoSquare) continue;
    const Bitboard targets = PseudoLegalTargets(board, attacker) & board.occupied(Opponent(side));
    ForEachSquare(targets, [&](Square square) {
      const Unit victim = board.unit_at(square);
      if (!IsObject(board, victim)) return;
      if (!IsBareCapture(&board, attacker, square, attackers_before)) return;
      threats.captures.Add(attacker, victim);
      if (IsChase(&board, attacker, victim)) threats.chases.Add(attacker, victim);
    });
  }
  return threats;
}

}  // namespace chuhe
