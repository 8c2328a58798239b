#include "engine/search/gumbel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace chuhe {
namespace {

uint32_t MostVisits(std::span<const GumbelMove> moves) {
  uint32_t most = 0;
  for (const GumbelMove& move : moves) most = std::max(most, move.visits);
  return most;
}

float LogPrior(const GumbelMove& move) {
  return std::log(std::max(move.prior, std::numeric_limits<float>::min()));
}

}  // namespace

float SampleGumbel(Random* random) {
  const double uniform = std::max(random->UniformDouble(), 0x1p-54);
  return static_cast<float>(-std::log(-std::log(uniform)));
}

float MixedValue(std::span<const GumbelMove> moves, float own_value) {
  float visits = 0;
  float priors = 0;
  float values = 0;
  for (const GumbelMove& move : moves) {
    if (move.visits == 0) continue;
    visits += static_cast<float>(move.visits);
    priors += move.prior;
    values += move.prior * move.value;
  }
  if (priors <= 0) return own_value;
  return (own_value + visits * values / priors) / (1 + visits);
}

std::vector<float> ImprovedPolicy(std::span<const GumbelMove> moves, float own_value,
                                  const GumbelOptions& options) {
  const float mixed = MixedValue(moves, own_value);
  const uint32_t most_visits = MostVisits(moves);
  std::vector<float> policy;
  for (const GumbelMove& move : moves) {
    const float value = move.visits > 0 ? move.value : mixed;
    policy.push_back(LogPrior(move) + GumbelSigma(value, most_visits, options));
  }
  if (policy.empty()) return policy;
  const float highest = *std::max_element(policy.begin(), policy.end());
  float sum = 0;
  for (float& x : policy) sum += x = std::exp(x - highest);
  for (float& x : policy) x /= sum;
  return policy;
}

float ImprovedValue(std::span<const GumbelMove> moves, float own_value,
                    const GumbelOptions& options) {
  if (moves.empty()) return own_value;
  const std::vector<float> policy = ImprovedPolicy(moves, own_value, options);
  const float mixed = MixedValue(moves, own_value);
  float value = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    value += policy[i] * (moves[i].visits > 0 ? moves[i].value : mixed);
  }
  return value;
}

EdgeRef MatchingChoice(const Node& node, float draw_score, const GumbelOptions& options) {
  const auto worth = [&](const Edge& edge) { return edge.value + draw_score * edge.draw; };
  float tried = 0;
  float visited = 0;
  float values = 0;
  float visits = 0;
  float started = 1;
  uint32_t most_visits = 0;
  float best_value = -1;
  for (const EdgeRef ref : node.edges()) {
    const Edge edge = ref.Load();
    const float prior = edge.prior * Node::kPriorUnit;
    tried += prior;
    started += static_cast<float>(edge.started());
    if (edge.visits == 0) continue;
    visited += prior;
    values += prior * worth(edge);
    visits += static_cast<float>(edge.visits);
    most_visits = std::max(most_visits, edge.visits);
    best_value = std::max(best_value, worth(edge));
  }
  const float mixed =
      visited > 0 ? (node.value + visits * values / visited) / (1 + visits) : node.value;
  const float highest = GumbelSigma(std::max(best_value, mixed), most_visits, options);
  const auto weight = [&](float prior, float value) {
    return prior * std::exp(GumbelSigma(value, most_visits, options) - highest);
  };
  const auto weight_of = [&](const Edge& edge) {
    return weight(edge.prior * Node::kPriorUnit, edge.visits > 0 ? worth(edge) : mixed);
  };
  // All untried moves have one value, so that the sum over them needs no list.
  float sum = weight(std::max(0.0f, 1 - tried), mixed);
  for (const EdgeRef edge : node.edges()) sum += weight_of(edge.Load());
  EdgeRef best;
  float best_score = -std::numeric_limits<float>::infinity();
  if (node.has_untried_moves()) {
    best_score = weight(node.next_prior * Node::kPriorUnit, mixed) / sum;
  }
  for (const EdgeRef ref : node.edges()) {
    const Edge edge = ref.Load();
    if (edge.proof == Proof::kLoss) continue;
    const float score = weight_of(edge) / sum - static_cast<float>(edge.started()) / started;
    if (score > best_score) {
      best = ref;
      best_score = score;
    }
  }
  return best;
}

GumbelPlan::GumbelPlan(std::span<const GumbelMove> moves, int visits, const GumbelOptions& options,
                       Random* random)
    : options_(options), started_(moves.size()), visits_left_(visits), visits_(visits) {
  for (size_t i = 0; i < moves.size(); ++i) gumbels_.push_back(SampleGumbel(random));
  const int sampled =
      std::clamp(std::min(options.sampled_moves, visits), 1, static_cast<int>(moves.size()));
  // Before the first visit all values are alike: the scores are those of the Gumbel-top-k trick.
  std::vector<GumbelMove> unvisited(moves.begin(), moves.end());
  for (GumbelMove& move : unvisited) move.visits = 0;
  Choose(unvisited, 0, static_cast<size_t>(sampled));
  phases_ = std::max(1, static_cast<int>(std::bit_width(candidates_.size() - 1)));
  SetQuota();
}

void GumbelPlan::SetQuota() {
  std::fill(started_.begin(), started_.end(), 0);
  const int count = static_cast<int>(candidates_.size());
  // The last phase takes what is left.
  quota_ =
      count <= 2 ? (visits_left_ + count - 1) / count : std::max(1, visits_ / (phases_ * count));
}

int GumbelPlan::NextMove(std::span<const uint8_t> unavailable) const {
  if (visits_left_ == 0) return kNone;
  int next = kNone;
  for (const int candidate : candidates_) {
    const auto i = static_cast<size_t>(candidate);
    if (started_[i] >= quota_ || unavailable[i] != 0) continue;
    if (next == kNone || started_[i] < started_[static_cast<size_t>(next)]) next = candidate;
  }
  return next;
}

void GumbelPlan::Start(int move) {
  ++started_[static_cast<size_t>(move)];
  --visits_left_;
}

void GumbelPlan::BeginNextPhase(std::span<const GumbelMove> moves, float own_value) {
  Choose(moves, own_value, std::max<size_t>(2, candidates_.size() / 2));
  SetQuota();
  if (moves[static_cast<size_t>(candidates_.front())].is_lost) visits_left_ = 0;
}

std::vector<float> GumbelPlan::Scores(std::span<const GumbelMove> moves, float own_value) const {
  const float mixed = MixedValue(moves, own_value);
  const uint32_t most_visits = MostVisits(moves);
  std::vector<float> scores(moves.size());
  for (size_t i = 0; i < moves.size(); ++i) {
    const float value = moves[i].visits > 0 ? moves[i].value : mixed;
    scores[i] = LogPrior(moves[i]) + gumbels_[i] + GumbelSigma(value, most_visits, options_);
  }
  return scores;
}

void GumbelPlan::Choose(std::span<const GumbelMove> moves, float own_value, size_t count) {
  const auto is_lost = [&](int move) { return moves[static_cast<size_t>(move)].is_lost; };
  std::erase_if(candidates_, is_lost);
  if (candidates_.empty()) {
    for (size_t i = 0; i < moves.size(); ++i) candidates_.push_back(static_cast<int>(i));
    if (!std::all_of(candidates_.begin(), candidates_.end(), is_lost)) {
      std::erase_if(candidates_, is_lost);
    }
  }
  const std::vector<float> scores = Scores(moves, own_value);
  std::stable_sort(candidates_.begin(), candidates_.end(), [&](int a, int b) {
    return scores[static_cast<size_t>(a)] > scores[static_cast<size_t>(b)];
  });
  if (candidates_.size() > count) candidates_.resize(count);
}

int GumbelPlan::BestMove(std::span<const GumbelMove> moves, float own_value) const {
  GumbelPlan last = *this;
  last.Choose(moves, own_value, 1);
  return last.candidates_.front();
}

}  // namespace chuhe
