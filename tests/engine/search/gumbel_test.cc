#include "engine/search/gumbel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

std::vector<GumbelMove> RandomMoves(Random* random, size_t count) {
  std::vector<GumbelMove> moves(count);
  double sum = 0;
  for (GumbelMove& move : moves) {
    const double x = random->UniformDouble();
    move.prior = static_cast<float>(x * x + 1e-3);
    sum += move.prior;
  }
  for (GumbelMove& move : moves) {
    move.prior /= static_cast<float>(sum);
    if (random->Below(3) == 0) continue;
    move.visits = static_cast<uint32_t>(1 + random->Below(30));
    move.value = static_cast<float>(2 * random->UniformDouble() - 1);
  }
  return moves;
}

// The formulas of the paper, written down once more without any care for speed or overflow.
double PlainMixedValue(const std::vector<GumbelMove>& moves, double own_value) {
  double visits = 0;
  double priors = 0;
  double expected = 0;
  for (const GumbelMove& move : moves) {
    visits += move.visits;
    if (move.visits > 0) priors += double{move.prior};
    if (move.visits > 0) expected += double{move.prior} * double{move.value};
  }
  if (visits == 0) return own_value;
  return (own_value + visits / priors * expected) / (1 + visits);
}

std::vector<double> PlainPolicy(const std::vector<GumbelMove>& moves, double own_value,
                                const GumbelOptions& options) {
  double most = 0;
  for (const GumbelMove& move : moves) most = std::max<double>(most, move.visits);
  std::vector<double> policy;
  double sum = 0;
  for (const GumbelMove& move : moves) {
    const double value = move.visits > 0 ? double{move.value} : PlainMixedValue(moves, own_value);
    const double scale = (double{options.visit_offset} + most) * double{options.value_scale};
    policy.push_back(double{move.prior} * std::exp(scale * (value + 1) / 2));
    sum += policy.back();
  }
  for (double& x : policy) x /= sum;
  return policy;
}

TEST(GumbelTest, MixedValueOfHandMadeNodes) {
  EXPECT_EQ(MixedValue(std::vector<GumbelMove>{{0.5f}, {0.5f}}, 0.3f), 0.3f);
  // (0.3 + 3 · 0.6) / 4
  EXPECT_NEAR(MixedValue(std::vector<GumbelMove>{{0.5f, 3, 0.6f}, {0.5f}}, 0.3f), 0.525f, 1e-6f);
  // The visited moves' mean by their priors: (0.2 · 1 + 0.6 · −0.5) / 0.8 = −0.125.
  EXPECT_NEAR(MixedValue(std::vector<GumbelMove>{{0.2f, 1, 1}, {0.6f, 8, -0.5f}, {0.2f}}, 0.5f),
              (0.5f + 9 * -0.125f) / 10, 1e-6f);
}

TEST(GumbelTest, SigmaOfHandMadeValues) {
  EXPECT_EQ(GumbelSigma(1, 0, {}), 50);
  EXPECT_EQ(GumbelSigma(0, 30, {}), 40);
  EXPECT_EQ(GumbelSigma(-1, 30, {}), 0);
  EXPECT_EQ(GumbelSigma(0.5f, 10, {.visit_offset = 10, .value_scale = 0.1f}), 1.5f);
}

TEST(GumbelTest, ImprovedPolicyIsThePriorWhereAllValuesAreAlike) {
  const auto policy =
      ImprovedPolicy(std::vector<GumbelMove>{{0.7f, 5, 0.2f}, {0.3f, 2, 0.2f}}, 0.2f, {});
  EXPECT_NEAR(policy[0], 0.7f, 1e-5f);
  EXPECT_NEAR(policy[1], 0.3f, 1e-5f);
}

TEST(GumbelTest, ImprovedPolicyAgreesWithPlainFormulas) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const GumbelOptions options{.visit_offset = 10, .value_scale = 0.2f};
    const auto moves = RandomMoves(&random, 1 + static_cast<size_t>(random.Below(60)));
    const auto own_value = static_cast<float>(2 * random.UniformDouble() - 1);
    ASSERT_NEAR(double{MixedValue(moves, own_value)}, PlainMixedValue(moves, double{own_value}),
                1e-4);
    const auto policy = ImprovedPolicy(moves, own_value, options);
    const auto plain = PlainPolicy(moves, double{own_value}, options);
    for (size_t j = 0; j < moves.size(); ++j) ASSERT_NEAR(double{policy[j]}, plain[j], 1e-4);
  }
}

TEST(GumbelTest, ImprovedValueIsThePolicysMean) {
  EXPECT_FLOAT_EQ(ImprovedValue(std::vector<GumbelMove>{{0.5f}, {0.5f}}, 0.3f, {}), 0.3f);
  // One hanging rook among fifteen quiet moves: the mean of the visits would be 0.03.
  std::vector<GumbelMove> moves(16, {1.0f / 16, 1, 0});
  moves[3].value = 0.5f;
  EXPECT_NEAR(ImprovedValue(moves, 0, {}), 0.5f, 0.01f);
  Random random(5);
  for (int i = 0; i < 100; ++i) {
    moves = RandomMoves(&random, 30);
    const std::vector<double> policy = PlainPolicy(moves, 0.1, {.value_scale = 0.1f});
    double value = 0;
    for (size_t j = 0; j < moves.size(); ++j) {
      value +=
          policy[j] * (moves[j].visits > 0 ? double{moves[j].value} : PlainMixedValue(moves, 0.1));
    }
    ASSERT_NEAR(double{ImprovedValue(moves, 0.1f, {.value_scale = 0.1f})}, value, 1e-4);
  }
}

TEST(GumbelTest, ImprovedPolicyHasNoOverflowWithManyVisits) {
  const auto policy = ImprovedPolicy(
      std::vector<GumbelMove>{{0.5f, 100000, 0.9f}, {0.5f, 90000, -0.9f}, {1e-9f}}, 0, {});
  EXPECT_NEAR(policy[0], 1, 1e-5f);
  EXPECT_NEAR(policy[1], 0, 1e-5f);
}

// The point of it all: the improved policy expects more from the true values than the prior.
TEST(GumbelTest, ImprovedPolicyIsNoWorseThanThePrior) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    auto moves = RandomMoves(&random, 20);
    for (GumbelMove& move : moves) {
      move.visits = 1;
      move.value = static_cast<float>(2 * random.UniformDouble() - 1);
    }
    const auto policy = ImprovedPolicy(moves, 0, {});
    double by_prior = 0;
    double by_policy = 0;
    for (size_t j = 0; j < moves.size(); ++j) {
      by_prior += double{moves[j].prior * moves[j].value};
      by_policy += double{policy[j] * moves[j].value};
    }
    ASSERT_GE(by_policy, by_prior - 1e-5);
  }
}

TEST(GumbelTest, MatchingChoiceAgreesWithPlainFormulas) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const size_t count = 1 + static_cast<size_t>(random.Below(40));
    auto moves = RandomMoves(&random, count);
    Tree tree(Tree::kMinBytes);
    BlockIndex index = tree.NewNode(static_cast<int>(count), /*has_exact_priors=*/true);
    std::vector<float> priors;
    for (const GumbelMove& move : moves) priors.push_back(move.prior);
    Tree::SetPriors(&tree.node(index), priors);
    tree.node(index).value = 0.1f;
    std::vector<double> started(count);
    double all = 1;
    // Visited moves must be tried ones, and tried are those with the highest priors.
    std::vector<size_t> order;
    while (tree.node(index).has_untried_moves()) {
      const size_t place = tree.node(index).next_index;
      if (moves[place].visits == 0 && random.Below(2) == 0) break;
      order.push_back(place);
      const EdgeRef edge = tree.NewEdge(&index, static_cast<int>(place), Move());
      edge.visits() = moves[place].visits;
      edge.value() = moves[place].value;
      edge.in_flight() = static_cast<uint16_t>(random.Below(4));
      started[place] = edge.Load().started();
      all += started[place];
    }
    for (size_t j = 0; j < count; ++j) {
      if (std::find(order.begin(), order.end(), j) == order.end()) moves[j].visits = 0;
    }
    const GumbelOptions options{.visit_offset = 10, .value_scale = 0.2f};
    const auto policy = PlainPolicy(moves, 0.1, options);
    const auto score = [&](size_t j) { return policy[j] - started[j] / all; };
    double best = -2;
    for (size_t j = 0; j < count; ++j) best = std::max(best, score(j));
    const EdgeRef choice = MatchingChoice(tree.node(index), 0, options);
    const size_t chosen = choice ? order[choice.place()] : tree.node(index).next_index;
    ASSERT_NEAR(score(chosen), best, 1e-3) << i;
  }
}

// Visits by moves until the plan is complete, all values alike, or by `value_of`.
std::map<int, int> VisitsOf(GumbelPlan* plan, std::vector<GumbelMove>* moves,
                            const std::vector<float>& values, std::string* phases = nullptr) {
  std::map<int, int> visits;
  const std::vector<uint8_t> unavailable(moves->size());
  while (!plan->is_complete()) {
    const int move = plan->NextMove(unavailable);
    if (move == GumbelPlan::kNone) {
      if (phases != nullptr) *phases += std::to_string(plan->candidates().size()) + " ";
      plan->BeginNextPhase(*moves, 0);
      continue;
    }
    plan->Start(move);
    ++visits[move];
    GumbelMove& statistics = (*moves)[static_cast<size_t>(move)];
    ++statistics.visits;
    statistics.value = values[static_cast<size_t>(move)];
  }
  if (phases != nullptr) *phases += std::to_string(plan->candidates().size());
  return visits;
}

TEST(GumbelTest, HalvesTheMovesAndSpendsAllVisits) {
  struct Case {
    int moves;
    int sampled;
    int visits;
    std::string phases;
    std::vector<int> by_rank;  // visits of the moves, most visited first
  };
  const std::vector<Case> cases = {
      {40, 16, 64, "16 8 4 2", {15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
      {40, 4, 50, "4 2", {19, 19, 6, 6}},
      {40, 4, 51, "4 2", {20, 19, 6, 6}},
      {40, 2, 9, "2", {5, 4}},
      {40, 1, 9, "1", {9}},
      {40, 16, 3, "3", {1, 1, 1}},
      {1, 16, 5, "1", {5}},
      {3, 16, 12, "3 2", {5, 5, 2}},
      {40, 16, 20, "16 8", {2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
  };
  for (const Case& c : cases) {
    Random random(7);
    std::vector<GumbelMove> moves(static_cast<size_t>(c.moves),
                                  GumbelMove{.prior = 1.0f / static_cast<float>(c.moves)});
    GumbelPlan plan(moves, c.visits, {.sampled_moves = c.sampled}, &random);
    std::string phases;
    const auto visits = VisitsOf(&plan, &moves, std::vector<float>(moves.size()), &phases);
    std::vector<int> by_rank;
    for (const auto& [move, count] : visits) by_rank.push_back(count);
    std::sort(by_rank.rbegin(), by_rank.rend());
    EXPECT_EQ(by_rank, c.by_rank) << c.sampled << " of " << c.moves << ", " << c.visits;
    EXPECT_EQ(phases, c.phases) << c.sampled << " of " << c.moves << ", " << c.visits;
  }
}

TEST(GumbelTest, FindsTheBestOfTheSampledMoves) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    std::vector<GumbelMove> moves(30, GumbelMove{.prior = 1.0f / 30});
    std::vector<float> values;
    for (size_t i = 0; i < moves.size(); ++i) {
      values.push_back(static_cast<float>(2 * random.UniformDouble() - 1));
    }
    GumbelPlan plan(moves, 32, {.sampled_moves = 8}, &random);
    const std::vector<int> sampled = plan.candidates();
    ASSERT_EQ(std::set<int>(sampled.begin(), sampled.end()).size(), 8u);
    VisitsOf(&plan, &moves, values);
    std::vector<float> sorted;
    for (const int move : sampled) sorted.push_back(values[static_cast<size_t>(move)]);
    std::sort(sorted.rbegin(), sorted.rend());
    if (sorted[0] - sorted[1] < 0.2f) continue;  // Gumbel numbers may decide between the two
    EXPECT_EQ(values[static_cast<size_t>(plan.BestMove(moves, 0))], sorted[0]) << seed;
  }
}

TEST(GumbelTest, WithOneVisitMovesAreSampledFromThePrior) {
  const std::vector<float> priors = {0.5f, 0.3f, 0.15f, 0.05f};
  std::vector<GumbelMove> moves;
  for (const float prior : priors) moves.push_back({.prior = prior});
  constexpr int kSamples = 20000;
  std::vector<int> counts(4);
  Random random(1);
  for (int i = 0; i < kSamples; ++i) {
    const GumbelPlan plan(moves, 1, {}, &random);
    ++counts[static_cast<size_t>(plan.BestMove(moves, 0))];
  }
  for (size_t i = 0; i < priors.size(); ++i) {
    const double expected = kSamples * double{priors[i]};
    EXPECT_NEAR(counts[i], expected, 5 * std::sqrt(expected)) << i;
  }
}

TEST(GumbelTest, LostMovesLeaveTheRaceAndOthersTakeTheirPlace) {
  Random random(2);
  std::vector<GumbelMove> moves(6, GumbelMove{.prior = 1.0f / 6});
  GumbelPlan plan(moves, 100, {.sampled_moves = 4}, &random);
  const std::vector<int> sampled = plan.candidates();
  std::vector<uint8_t> unavailable(6);
  for (const int move : sampled) {
    moves[static_cast<size_t>(move)].is_lost = true;
    unavailable[static_cast<size_t>(move)] = 1;
  }
  EXPECT_EQ(plan.NextMove(unavailable), GumbelPlan::kNone);
  EXPECT_FALSE(moves[static_cast<size_t>(plan.BestMove(moves, 0))].is_lost);
  plan.BeginNextPhase(moves, 0);
  EXPECT_EQ(plan.candidates().size(), 2u);
  const int next = plan.NextMove(unavailable);
  ASSERT_NE(next, GumbelPlan::kNone);
  EXPECT_FALSE(moves[static_cast<size_t>(next)].is_lost);
  for (GumbelMove& move : moves) move.is_lost = true;
  plan.BeginNextPhase(moves, 0);
  EXPECT_TRUE(plan.is_complete());
}

TEST(GumbelTest, TheSameSeedMakesTheSamePlan) {
  const std::vector<GumbelMove> moves(30, GumbelMove{.prior = 1.0f / 30});
  Random a(9);
  Random b(9);
  Random other(10);
  const GumbelPlan plan(moves, 32, {}, &a);
  EXPECT_EQ(plan.candidates(), GumbelPlan(moves, 32, {}, &b).candidates());
  EXPECT_NE(plan.candidates(), GumbelPlan(moves, 32, {}, &other).candidates());
}

}  // namespace
}  // namespace chuhe
