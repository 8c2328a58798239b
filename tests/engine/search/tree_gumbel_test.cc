// The Gumbel root inside the tree search.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "engine/eval/simple_evaluators.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/tree_search.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

// Evaluates the root, makes a plan, and follows it to its end.
void FollowPlan(TreeSearch* search, int visits, uint64_t seed) {
  HashEvaluator evaluator;
  std::vector<EvaluationRequest> requests(1);
  if (!search->has_root_evaluation() && search->SelectLeaves(requests, 1) > 0) {
    evaluator.Evaluate(requests);
    search->ApplyEvaluations(requests);
  }
  Random random(seed);
  search->PlanGumbel(visits, &random);
  while (search->RunBatch(1 << 20) > 0) {
  }
}

TEST(TreeGumbelTest, MakesExactlyThePlannedVisitsWhateverTheBatch) {
  std::string by_one;
  for (const int batch : {1, 3, 8, 64}) {
    for (const bool matches : {false, true}) {
      HashEvaluator evaluator;
      TreeSearch search(&evaluator, {.batch_size = batch, .matches_policy_below_root = matches});
      search.SetRoot(Game(Position::Start()));
      FollowPlan(&search, 64, 1);
      EXPECT_TRUE(search.is_plan_complete());
      EXPECT_EQ(search.visits(), 64);
      EXPECT_EQ(search.under_way(), 0);
      std::vector<int> visits;
      for (const Edge& edge : search.RankedRootMoves()) {
        visits.push_back(static_cast<int>(edge.visits));
        EXPECT_EQ(edge.in_flight, 0);
      }
      EXPECT_EQ(visits, (std::vector<int>{15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1}));
    }
  }
}

TEST(TreeGumbelTest, TheSameSeedGivesTheSameMoveAndPolicy) {
  std::set<uint16_t> moves;
  for (const uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    Move choice;
    std::vector<float> policy;
    for (int run = 0; run < 2; ++run) {
      HashEvaluator evaluator;
      TreeSearch search(&evaluator, {.batch_size = 4});
      search.SetRoot(Game(Position::Start()));
      FollowPlan(&search, 24, seed);
      if (run == 1) {
        EXPECT_EQ(search.GumbelChoice(), choice);
        EXPECT_EQ(search.ImprovedRootPolicy(), policy);
      }
      choice = search.GumbelChoice();
      policy = search.ImprovedRootPolicy();
    }
    moves.insert(choice.bits());
  }
  EXPECT_GT(moves.size(), 1u);
}

TEST(TreeGumbelTest, TheImprovedPolicyIsADistributionOverAllLegalMoves) {
  HashEvaluator evaluator;
  TreeSearch search(&evaluator, {});
  search.SetRoot(Game(Position::Start()));
  FollowPlan(&search, 32, 3);
  const std::vector<float> policy = search.ImprovedRootPolicy();
  ASSERT_EQ(policy.size(), search.RootMoves().size());
  float sum = 0;
  for (const float x : policy) {
    EXPECT_GE(x, 0);
    sum += x;
  }
  EXPECT_NEAR(sum, 1, 1e-4f);
}

TEST(TreeGumbelTest, PlansGoOnFromAReusedTree) {
  HashEvaluator evaluator;
  TreeSearch search(&evaluator, {.max_tree_bytes = size_t{1} << 20});
  search.SetRoot(Game(Position::Start()));
  for (uint64_t ply = 0; ply < 20; ++ply) {
    const int64_t before = search.visits();
    FollowPlan(&search, 40, ply);
    if (!search.is_decided()) {
      EXPECT_EQ(search.visits() - before, 40);
    }
    const auto best = search.GumbelChoice();
    const auto moves = search.RootMoves();
    ASSERT_TRUE(std::any_of(moves.begin(), moves.end(),
                            [&](const Edge& edge) { return edge.move == best; }));
    const uint32_t visits = std::find_if(moves.begin(), moves.end(), [&](const Edge& edge) {
                              return edge.move == best;
                            })->visits;
    search.Advance(best);
    // A move that was played had visits; a leaf that was only evaluated has one.
    EXPECT_EQ(search.root_edge().visits, visits);
    if (search.is_decided()) break;
  }
}

TEST(TreeGumbelTest, ACertainWinIsPlayedAndACertainLossIsNot) {
  // Red has one move that mates; of Black's moves most let that happen.
  const std::string fen = "9/n3Rc3/5k1PR/9/6r2/7c1/1r7/3A1p2N/4K3p/9 w";
  for (uint64_t seed = 0; seed < 10; ++seed) {
    HashEvaluator evaluator;
    TreeSearch search(&evaluator, {.gumbel = {.sampled_moves = 64}});
    search.SetRoot(PlayGame(fen, ""));
    FollowPlan(&search, 80, seed);
    ASSERT_TRUE(search.is_decided());
    const Edge best = search.RankedRootMoves().front();
    EXPECT_EQ(best.proof, Proof::kWin);
    EXPECT_EQ(search.GumbelChoice(), best.move);
  }
  // Red threatens mate in several ways.
  const std::string threat = "3k5/R8/1R7/9/9/9/9/9/5r3/4K4 b";
  for (uint64_t seed = 0; seed < 10; ++seed) {
    HashEvaluator evaluator;
    TreeSearch search(&evaluator, {.batch_size = 4});
    search.SetRoot(PlayGame(threat, ""));
    FollowPlan(&search, 2000, seed);
    int lost = 0;
    int open = 0;
    for (const Edge& move : search.RootMoves()) {
      (move.proof == Proof::kLoss ? lost : open) += 1;
      if (move.move == search.GumbelChoice() && open > 0 && !search.is_decided()) {
        EXPECT_NE(move.proof, Proof::kLoss);
      }
    }
    EXPECT_GT(lost, 0);
  }
}

TEST(TreeGumbelTest, PlansOnlyAllowedMoves) {
  HashEvaluator evaluator;
  TreeSearch search(&evaluator, {});
  search.SetRoot(Game(Position::Start()));
  FollowPlan(&search, 10, 1);
  const std::vector<Move> allowed = {*ParseUci("a0a1"), *ParseUci("i0i2"), *ParseUci("b2e2")};
  search.RestrictRoot(allowed);
  const std::vector<Edge> before = search.RootMoves();
  FollowPlan(&search, 60, 1);
  EXPECT_TRUE(std::count(allowed.begin(), allowed.end(), search.GumbelChoice()));
  const std::vector<Edge> after = search.RootMoves();
  for (size_t i = 0; i < after.size(); ++i) {
    if (after[i].visits != before[i].visits) {
      EXPECT_TRUE(std::count(allowed.begin(), allowed.end(), after[i].move));
    }
  }
}

TEST(TreeGumbelTest, MatchingBelowTheRootMakesVisitsLikeTheImprovedPolicy) {
  HashEvaluator evaluator;
  TreeSearch search(&evaluator,
                    {.gumbel = {.sampled_moves = 1, .visit_offset = 5, .value_scale = 0.3f},
                     .matches_policy_below_root = true});
  search.SetRoot(Game(Position::Start()));
  FollowPlan(&search, 400, 1);
  const Move move = search.GumbelChoice();
  search.Advance(move);
  const std::vector<float> policy = search.ImprovedRootPolicy();
  const std::vector<Edge> moves = search.RootMoves();
  float difference = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    difference += std::abs(policy[i] - static_cast<float>(moves[i].visits) / 400);
  }
  EXPECT_LT(difference / 2, 0.15f);
}

}  // namespace
}  // namespace chuhe
