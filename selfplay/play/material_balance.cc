#include "selfplay/play/material_balance.h"

#include "engine/board/types.h"

namespace chuhe {
namespace {

double ValueOf(PieceType type, Color color, Square square) {
  constexpr double kValues[kPieceTypes] = {0, 2, 2, 4, 9, 4.5, 1};
  if (type == PieceType::kPawn && IsAcrossRiver(color, square)) return 2;
  return kValues[Index(type)];
}

bool CanAttack(const Position& position, Color color) {
  return position.count(color, PieceType::kRook) + position.count(color, PieceType::kCannon) +
             position.count(color, PieceType::kKnight) + position.count(color, PieceType::kPawn) >
         0;
}

}  // namespace

double MaterialBalance(const Position& position) {
  double balance = 0;
  for (int unit = 0; unit < kUnits; ++unit) {
    const auto man = static_cast<Unit>(unit);
    const Square square = position.square_of(man);
    if (square == kNoSquare) continue;
    const double value = ValueOf(TypeOf(man), ColorOf(man), square);
    balance += ColorOf(man) == Color::kRed ? value : -value;
  }
  return balance;
}

Outcome AdjudicateByMaterial(const Position& position, double margin) {
  const double balance = MaterialBalance(position);
  if (balance >= margin && CanAttack(position, Color::kRed)) return Outcome::kBlackLoses;
  if (balance <= -margin && CanAttack(position, Color::kBlack)) return Outcome::kRedLoses;
  return Outcome::kDraw;
}

}  // namespace chuhe
