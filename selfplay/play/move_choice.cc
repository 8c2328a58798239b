#include "selfplay/play/move_choice.h"

#include <algorithm>
#include <cmath>

#include "engine/search/root_policy.h"

namespace chuhe {
namespace {

constexpr float kLeastWeight = 1.0f / 2000;
constexpr double kColdest = 0.02;  // below, the best move is taken

// Weights of the legal moves in the order of RootMoves().
std::vector<float> VisitWeights(const TreeSearch& search, const std::vector<Edge>& moves) {
  std::vector<float> weights = PruneForcedVisits(moves, search.root_edge(), search.options().puct,
                                                 search.options().forced_visits);
  const auto has_weight = [](float weight) { return weight > 0; };
  if (std::any_of(weights.begin(), weights.end(), has_weight)) return weights;
  // Nothing was visited, as when visits are few and the root alone was evaluated.
  for (size_t i = 0; i < moves.size(); ++i) weights[i] = moves[i].prior;
  return weights;
}

size_t Best(const std::vector<float>& weights) {
  return static_cast<size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

// The best move of a search by sequential halving, without the numbers that were drawn.
Move BestByPolicy(const TreeSearch& search, const std::vector<Edge>& moves) {
  std::vector<float> policy = search.ImprovedRootPolicy();
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].proof == Proof::kLoss) policy[i] = -1;
  }
  return moves[Best(policy)].move;
}

size_t DrawByWeight(const std::vector<float>& weights, double temperature, Random* random) {
  const double most = weights[Best(weights)];
  std::vector<double> powers;
  double sum = 0;
  for (const float weight : weights) {
    powers.push_back(weight > 0 ? std::pow(weight / most, 1 / temperature) : 0);
    sum += powers.back();
  }
  double left = random->UniformDouble() * sum;
  size_t last = 0;
  for (size_t i = 0; i < powers.size(); ++i) {
    if (powers[i] <= 0) continue;
    last = i;
    left -= powers[i];
    if (left < 0) break;
  }
  return last;
}

}  // namespace

double TemperatureAt(const SelfPlayOptions& options, int ply) {
  const double halvings = static_cast<double>(ply) / options.temperature_halving;
  return options.final_temperature +
         (options.temperature - options.final_temperature) * std::exp2(-halvings);
}

std::vector<MoveWeight> PolicyTarget(const SelfPlayOptions& options, const TreeSearch& search) {
  const std::vector<Edge> moves = search.RootMoves();
  const std::vector<float> weights =
      options.gumbel ? search.ImprovedRootPolicy() : VisitWeights(search, moves);
  float sum = 0;
  for (const float weight : weights) sum += weight;
  std::vector<MoveWeight> target;
  for (size_t i = 0; i < moves.size(); ++i) {
    const float share = weights[i] / sum;
    if (share < kLeastWeight) continue;
    target.push_back({moves[i].move, static_cast<uint16_t>(share * 65535 + 0.5f)});
  }
  return target;
}

ChosenMove ChooseMove(const SelfPlayOptions& options, const TreeSearch& search, double temperature,
                      Random* random) {
  if (search.is_decided()) {
    const std::vector<Edge> ranked = search.RankedRootMoves();
    if (!ranked.empty()) return {ranked.front().move, false};
  }
  const std::vector<Edge> moves = search.RootMoves();
  if (options.gumbel) {
    const Move best = BestByPolicy(search, moves);
    const bool is_sampled = random->UniformDouble() < temperature;
    const Move move = is_sampled ? search.GumbelChoice() : best;
    return {move, move != best};
  }
  const std::vector<float> weights = VisitWeights(search, moves);
  const size_t best = Best(weights);
  const size_t drawn = temperature < kColdest ? best : DrawByWeight(weights, temperature, random);
  return {moves[drawn].move, drawn != best};
}

Move ChooseFork(const SelfPlayOptions& options, const TreeSearch& search, Move played,
                Random* random) {
  std::vector<Edge> moves = search.RankedRootMoves();
  if (moves.empty()) return Move();
  float best = -1;
  for (const Edge& edge : moves) {
    if (edge.visits > 0) best = std::max(best, edge.value);
  }
  std::erase_if(moves, [&](const Edge& edge) {
    return edge.move == played || edge.visits == 0 || edge.proof == Proof::kLoss ||
           static_cast<double>(edge.value) < static_cast<double>(best) - options.fork_margin;
  });
  return moves.empty() ? Move() : moves[random->Below(moves.size())].move;
}

Wdl RootChances(const TreeSearch& search) {
  const Edge& edge = search.root_edge();
  Wdl chances;
  chances.draw = std::clamp(edge.draw, 0.0f, 1.0f);
  const float decided = 1 - chances.draw;
  chances.win = std::clamp((decided - edge.value) / 2, 0.0f, decided);
  chances.loss = decided - chances.win;
  return chances;
}

}  // namespace chuhe
