#include "engine/search/alphabeta_order.h"

#include <algorithm>
#include <cstdlib>

#include "engine/board/attacks.h"
#include "engine/search/alphabeta_eval.h"

namespace chuhe {
namespace {

constexpr int kTableMove = 1 << 24;
constexpr int kGoodCapture = 1 << 22;
constexpr int kFirstKiller = 1 << 20;
constexpr int kBadCapture = -(1 << 22);
constexpr int kMostHistory = 1 << 14;

}  // namespace

Move ScoredMoves::TakeBest(int index) {
  int best = index;
  for (int i = index + 1; i < list.size; ++i) {
    if (scores[i] > scores[best]) best = i;
  }
  // Rotated rather than swapped, so that equals keep their order.
  const Move move = list.moves[best];
  const int score = scores[best];
  std::copy_backward(list.moves + index, list.moves + best, list.moves + best + 1);
  std::copy_backward(scores + index, scores + best, scores + best + 1);
  list.moves[index] = move;
  scores[index] = score;
  return move;
}

int CaptureGain(const Position& position, Move move) {
  const Unit victim = position.unit_at(move.to());
  const Unit attacker = position.unit_at(move.from());
  const int gain = ClassicValue(position, victim);
  const int price = ClassicValue(position, attacker);
  if (price <= gain) return gain;
  const Color them = ColorOf(victim);
  const bool is_protected =
      AttackersOf(position, move.to(), them) != 0 && TypeOf(attacker) != PieceType::kKing;
  return is_protected ? gain - price : gain;
}

MoveOrder::MoveOrder() : history_(std::make_unique<Table>()) {}

void MoveOrder::Clear() {
  killers_ = {};
  *history_ = {};
}

void MoveOrder::NextSearch() {
  killers_ = {};
  for (auto& side : *history_) {
    for (int16_t& value : side) value = static_cast<int16_t>(value / 4);
  }
}

void MoveOrder::Score(const Position& position, Move table_move, int ply,
                      ScoredMoves* moves) const {
  const Color us = position.side_to_move();
  for (int i = 0; i < moves->list.size; ++i) {
    const Move move = moves->list[i];
    int& score = moves->scores[i];
    if (move == table_move) {
      score = kTableMove;
    } else if (!position.is_empty(move.to())) {
      const int gain = CaptureGain(position, move);
      const int attacker = ClassicValue(position, position.unit_at(move.from()));
      score = gain >= 0 ? kGoodCapture + 16 * gain - attacker / 10 : kBadCapture + gain;
    } else if (IsKiller(move, ply)) {
      score = kFirstKiller + (killers_[ply][0] == move ? 1 : 0);
    } else {
      score = History(us, move);
    }
  }
}

void MoveOrder::Shift(int16_t* value, int by) {
  // Saturates gently: the nearer to the limit, the smaller the step.
  *value = static_cast<int16_t>(*value + by - *value * std::abs(by) / kMostHistory);
}

void MoveOrder::Reward(Color side, Move move, int ply, int depth) {
  if (killers_[ply][0] != move) {
    killers_[ply][1] = killers_[ply][0];
    killers_[ply][0] = move;
  }
  Shift(&(*history_)[Index(side)][move.bits()], std::min(depth * depth * 16, 2048));
}

void MoveOrder::Punish(Color side, Move move, int depth) {
  Shift(&(*history_)[Index(side)][move.bits()], -std::min(depth * depth * 16, 2048));
}

}  // namespace chuhe
