#include "engine/rules/material.h"

#include "engine/board/movegen.h"

namespace chuhe {
namespace {

int CountBoth(const Position& position, PieceType type) {
  return position.count(Color::kRed, type) + position.count(Color::kBlack, type);
}

enum class CannonEnding { kPlayOn, kDraw, kDrawUnlessWinInOne };

// Only cannons are left to attack with, one a side at most.
CannonEnding JudgeCannons(const Position& position) {
  const int bishops = CountBoth(position, PieceType::kBishop);
  if (CountBoth(position, PieceType::kCannon) == 2) {
    if (CountBoth(position, PieceType::kAdvisor) != 0) return CannonEnding::kPlayOn;
    return bishops == 0 ? CannonEnding::kDraw : CannonEnding::kDrawUnlessWinInOne;
  }
  const Color owner =
      position.count(Color::kRed, PieceType::kCannon) == 1 ? Color::kRed : Color::kBlack;
  if (position.count(owner, PieceType::kAdvisor) != 0) return CannonEnding::kPlayOn;
  const int their_advisors = position.count(Opponent(owner), PieceType::kAdvisor);
  const bool has_bishop = position.count(owner, PieceType::kBishop) != 0;
  if (their_advisors == 0) return CannonEnding::kDraw;
  if (their_advisors == 1) {
    return has_bishop ? CannonEnding::kDrawUnlessWinInOne : CannonEnding::kDraw;
  }
  return has_bishop ? CannonEnding::kPlayOn : CannonEnding::kDrawUnlessWinInOne;
}

}  // namespace

bool HasWinInOne(const Position& position) {
  Position board = position;
  MoveList list;
  GenerateLegal(board, &list);
  for (const Move move : list) {
    const Undo undo = board.Make(move);
    const bool won = !HasLegalMove(board);
    board.Unmake(move, undo);
    if (won) return true;
  }
  return false;
}

bool IsInsufficientMaterial(const Position& position) {
  if (CountBoth(position, PieceType::kPawn) != 0 || CountBoth(position, PieceType::kRook) != 0 ||
      CountBoth(position, PieceType::kKnight) != 0) {
    return false;
  }
  if (CountBoth(position, PieceType::kCannon) == 0) return true;
  if (position.count(Color::kRed, PieceType::kCannon) == 2 ||
      position.count(Color::kBlack, PieceType::kCannon) == 2) {
    return false;
  }
  switch (JudgeCannons(position)) {
    case CannonEnding::kPlayOn:
      return false;
    case CannonEnding::kDraw:
      return true;
    case CannonEnding::kDrawUnlessWinInOne:
      return !HasWinInOne(position);
  }
  return false;
}

}  // namespace chuhe
