#include "engine/search/root_policy.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

struct Case {
  float prior;
  uint32_t visits;
  float value;
  Proof proof = Proof::kNone;
  int proof_plies = 0;
};

std::vector<Edge> MovesOf(const std::vector<Case>& cases) {
  std::vector<Edge> moves;
  for (const Case& c : cases) {
    Edge& edge = moves.emplace_back();
    edge.prior = static_cast<uint16_t>(c.prior * 65535);
    edge.visits = c.visits;
    edge.value = c.value;
    edge.proof = c.proof;
    edge.proof_bits = static_cast<uint8_t>(c.proof_plies);
  }
  return moves;
}

// Exploration without growth, so that the score can be written down in a test.
constexpr PuctOptions kPlain = {.exploration_init = 1, .exploration_factor = 0};

std::vector<float> Prune(const std::vector<Case>& cases, float k) {
  const std::vector<Edge> moves = MovesOf(cases);
  Edge root;
  root.visits = 1;
  for (const Edge& move : moves) root.visits += move.visits;
  return PruneForcedVisits(moves, root, kPlain, k);
}

TEST(RootPolicyTest, ForcedVisitsAreTheRootOfPriorTimesVisits) {
  EXPECT_NEAR(ForcedVisits(2, 65535, 50), 10, 1e-4f);
  EXPECT_NEAR(ForcedVisits(2, 6554, 80), 4, 1e-3f);
}

TEST(RootPolicyTest, WithoutForcingOnlySingleVisitsGo) {
  EXPECT_EQ(Prune({{0.6f, 50, 0.2f}, {0.3f, 20, 0.1f}, {0.1f, 1, -0.9f}}, 0),
            (std::vector<float>{50, 20, 0}));
}

TEST(RootPolicyTest, ForcedVisitsOfABadMoveGo) {
  // 100 visits: the second move was forced to have sqrt(2 · 0.3 · 100) = 7.7.
  // Score of the first: 0.5 + 0.7 · 10 / 91 = 0.577; the second would reach that with
  // 0.3 · 10 / (0.577 + 0.6) − 1 = 1.5 visits, so 10 − 7.7 are left, rounded up.
  EXPECT_EQ(Prune({{0.7f, 90, 0.5f}, {0.3f, 10, -0.6f}}, 2), (std::vector<float>{90, 3}));
  EXPECT_EQ(Prune({{0.7f, 92, 0.5f}, {0.3f, 8, -0.6f}}, 2), (std::vector<float>{92, 2}));
}

TEST(RootPolicyTest, VisitsThatTheScoreExplainsStay) {
  // The second would have had 0.3 · 10 / (0.577 − 0.45) − 1 = 22 visits by its score alone.
  EXPECT_EQ(Prune({{0.7f, 90, 0.5f}, {0.3f, 10, 0.45f}}, 2), (std::vector<float>{90, 10}));
  // A better value than the whole score of the most visited move.
  EXPECT_EQ(Prune({{0.7f, 90, 0.5f}, {0.3f, 10, 0.9f}}, 2), (std::vector<float>{90, 10}));
}

TEST(RootPolicyTest, CertainLossesGetNothingAndTheQuickestCertainWinAll) {
  EXPECT_EQ(Prune({{0.7f, 90, -1, Proof::kLoss}, {0.3f, 10, -0.5f}}, 0),
            (std::vector<float>{0, 10}));
  EXPECT_EQ(
      Prune({{0.7f, 90, 0.5f}, {0.2f, 9, 1, Proof::kWin, 5}, {0.1f, 1, 1, Proof::kWin, 3}}, 2),
      (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(Prune({{0.7f, 90, -1, Proof::kLoss}, {0.3f, 10, -1, Proof::kLoss}}, 0),
            (std::vector<float>{90, 10}));
}

TEST(RootPolicyTest, WithoutVisitsThereIsNoTarget) {
  EXPECT_EQ(Prune({{0.7f, 0, 0}, {0.3f, 0, 0}}, 2), (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace chuhe
