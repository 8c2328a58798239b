#include "engine/search/root_policy.h"

#include <algorithm>
#include <cmath>

namespace chuhe {
namespace {

// The quickest certain win; null if there is none.
const Edge* QuickestWin(std::span<const Edge> moves) {
  const Edge* quickest = nullptr;
  for (const Edge& move : moves) {
    if (move.proof != Proof::kWin) continue;
    if (quickest == nullptr || move.proof_plies() < quickest->proof_plies()) quickest = &move;
  }
  return quickest;
}

}  // namespace

float ForcedVisits(float k, uint16_t prior, uint32_t root_visits) {
  return std::sqrt(k * prior * Node::kPriorUnit * static_cast<float>(root_visits));
}

std::vector<float> PruneForcedVisits(std::span<const Edge> moves, const Edge& root,
                                     const PuctOptions& options, float k) {
  std::vector<float> weights(moves.size(), 0);
  if (const Edge* const win = QuickestWin(moves); win != nullptr) {
    weights[static_cast<size_t>(win - moves.data())] = 1;
    return weights;
  }
  const bool is_lost = std::all_of(moves.begin(), moves.end(), [](const Edge& move) {
    return move.visits == 0 || move.proof == Proof::kLoss;
  });
  const auto counts = [&](const Edge& move) {
    return move.visits > 0 && (is_lost || move.proof != Proof::kLoss);
  };
  const Edge* best = nullptr;
  uint32_t root_visits = 0;
  for (const Edge& move : moves) {
    root_visits += move.visits;
    if (counts(move) && (best == nullptr || move.visits > best->visits)) best = &move;
  }
  if (best == nullptr) return weights;
  const PuctNode puct(options, root, /*is_root_side=*/true);
  const float best_score = puct.Score(*best);
  for (size_t i = 0; i < moves.size(); ++i) {
    const Edge& move = moves[i];
    if (!counts(move)) continue;
    const auto visits = static_cast<float>(move.visits);
    weights[i] = visits;
    if (&move == best || puct.Utility(move) >= best_score) continue;
    const float least = visits - ForcedVisits(k, move.prior, root_visits);
    const float left = std::ceil(std::max(least, puct.VisitsForScore(move, best_score)));
    weights[i] = left <= 1 ? 0 : std::min(visits, left);
  }
  return weights;
}

}  // namespace chuhe
