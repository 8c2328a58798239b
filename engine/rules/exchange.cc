#include "engine/rules/exchange.h"

#include <algorithm>
#include <bit>

#include "engine/board/attacks.h"
#include "engine/rules/chase.h"

namespace chuhe {
namespace {

// The units of the side to move that can legally take on the square and are least worth of all
// that can.
UnitSet LeastTakers(Position* board, Square square) {
  UnitSet least = 0;
  int least_value = 0;
  const UnitSet takers = AttackersOf(*board, square, board->side_to_move());
  for (UnitSet left = takers; left != 0; left &= left - 1) {
    const Unit taker = static_cast<Unit>(std::countr_zero(left));
    const int value = ExchangeValue(*board, taker);
    if (least != 0 && value > least_value) continue;
    if (!IsBareCapture(board, taker, square, /*attackers_before=*/0)) continue;
    least = value == least_value ? least | UnitBit(taker) : UnitBit(taker);
    least_value = value;
  }
  return least;
}

}  // namespace

int ExchangeValue(const Position& position, Unit unit) {
  switch (TypeOf(unit)) {
    case PieceType::kKing:
      return 1000;
    case PieceType::kRook:
      return 8;
    case PieceType::kKnight:
    case PieceType::kCannon:
      return 4;
    case PieceType::kAdvisor:
    case PieceType::kBishop:
      return 2;
    case PieceType::kPawn:
      return IsAcrossRiver(ColorOf(unit), position.square_of(unit)) ? 2 : 1;
  }
  return 0;
}

int ExchangeGain(Position* board, Square square) {
  const int prize = ExchangeValue(*board, board->unit_at(square));
  int gain = 0;
  // Which of several equals takes may matter: it can open or close the way of another.
  for (UnitSet takers = LeastTakers(board, square); takers != 0; takers &= takers - 1) {
    const Unit taker = static_cast<Unit>(std::countr_zero(takers));
    const Move capture(board->square_of(taker), square);
    const Undo undo = board->Make(capture);
    gain = std::max(gain, prize - ExchangeGain(board, square));
    board->Unmake(capture, undo);
  }
  return gain;
}

}  // namespace chuhe
