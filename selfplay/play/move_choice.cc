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

// What is certain needs no weighing: a move that wins, the quickest, gets everything, and one that
// loses nothing, unless all do.
void ApplyProofs(const TreeSearch& search, const std::vector<Edge>& moves,
                 std::vector<float>* weights) {
  const auto has = [](Proof proof) { return [proof](const Edge& e) { return e.proof == proof; }; };
  if (std::any_of(moves.begin(), moves.end(), has(Proof::kWin))) {
    const Move best = search.RankedRootMoves().front().move;
    for (size_t i = 0; i < moves.size(); ++i) (*weights)[i] = moves[i].move == best ? 1.0f : 0.0f;
    return;
  }
  if (std::all_of(moves.begin(), moves.end(), has(Proof::kLoss))) return;
  float left = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].proof == Proof::kLoss) (*weights)[i] = 0;
    left += (*weights)[i];
  }
  if (left > 0) return;
  // All that was tried loses.
  for (size_t i = 0; i < moves.size(); ++i) {
    if (moves[i].proof != Proof::kLoss) (*weights)[i] = static_cast<float>(moves[i].prior) + 1;
  }
}

// The weights that moves have after the search, in the order of RootMoves().
std::vector<float> Weights(const SelfPlayOptions& options, const TreeSearch& search,
                           const std::vector<Edge>& moves) {
  std::vector<float> weights =
      options.gumbel ? search.ImprovedRootPolicy() : VisitWeights(search, moves);
  ApplyProofs(search, moves, &weights);
  return weights;
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
  const std::vector<float> weights = Weights(options, search, moves);
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
  const std::vector<float> weights = Weights(options, search, moves);
  const size_t best = Best(weights);
  if (options.gumbel) {
    const bool is_sampled = random->UniformDouble() < temperature;
    const Move move = is_sampled ? search.GumbelChoice() : moves[best].move;
    return {move, move != moves[best].move};
  }
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

Wdl RootChances(const SelfPlayOptions& options, const TreeSearch& search) {
  const Edge& edge = search.root_edge();
  float value = -edge.value;
  float draw = edge.draw;
  if (options.gumbel && edge.proof == Proof::kNone) {
    value = search.ImprovedRootValue();
    const std::vector<Edge> moves = search.RootMoves();
    const std::vector<float> policy = search.ImprovedRootPolicy();
    float known = 0;
    float draws = 0;
    for (size_t i = 0; i < moves.size(); ++i) {
      if (moves[i].visits == 0) continue;
      known += policy[i];
      draws += policy[i] * moves[i].draw;
    }
    if (known > 0) draw = draws / known;
  }
  Wdl chances;
  chances.draw = std::clamp(draw, 0.0f, 1.0f);
  const float decided = 1 - chances.draw;
  chances.win = std::clamp((decided + value) / 2, 0.0f, decided);
  chances.loss = decided - chances.win;
  return chances;
}

}  // namespace chuhe
