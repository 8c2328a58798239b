#include "selfplay/match/sprt.h"

#include <cmath>

#include "engine/base/random.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(SprtTest, BoundsAreThoseOfWald) {
  const SprtState state = EvaluateSprt({.alpha = 0.05, .beta = 0.10}, {});
  EXPECT_NEAR(state.lower_bound, std::log(0.10 / 0.95), 1e-12);
  EXPECT_NEAR(state.upper_bound, std::log(0.90 / 0.05), 1e-12);
  EXPECT_EQ(state.llr, 0);
  EXPECT_EQ(state.decision, SprtDecision::kContinue);
}

// Only 2-0 and 0-2: a coin, whose likelihood ratio is known. Outcomes never seen count 0.001 each.
TEST(SprtTest, TwoOutcomesFollowTheClosedForm) {
  const double s0 = ScoreOfElo(0);
  const double s1 = ScoreOfElo(20);
  const SprtState state = EvaluateSprt({.elo0 = 0, .elo1 = 20}, {{400, 0, 0, 0, 600}});
  const double expected = 600 * std::log(s1 / s0) + 400 * std::log((1 - s1) / (1 - s0));
  EXPECT_NEAR(state.llr, expected, 1e-3);
}

// Found by climbing the likelihood on the simplex, without the formula that the code uses.
TEST(SprtTest, AgreesWithAnIndependentMaximization) {
  struct Case {
    PairCounts counts;
    double elo0, elo1, llr;
  };
  for (const Case& c :
       {Case{{{10, 20, 40, 25, 15}}, 0, 10, 0.5181282},
        Case{{{300, 2100, 4200, 2400, 350}}, 0, 5, 10.0626832},
        Case{{{1, 0, 3, 2, 4}}, -10, 30, 0.7376074}, Case{{{0, 5, 80, 12, 0}}, 0, 10, 1.4223318},
        Case{{{40, 30, 20, 10, 5}}, -5, 0, -1.1898907}}) {
    EXPECT_NEAR(EvaluateSprt({.elo0 = c.elo0, .elo1 = c.elo1}, c.counts).llr, c.llr, 2e-6);
  }
}

// Van den Bergh's approximation for many games: (s1 - s0)(2 mean - s0 - s1) / (2 variance).
TEST(SprtTest, ApproachesTheNormalApproximation) {
  const PairCounts counts = {{800, 4000, 9000, 4500, 1000}};
  const ScoreEstimate score = EstimateScore(counts);
  const double s0 = ScoreOfElo(0);
  const double s1 = ScoreOfElo(3);
  const double expected = static_cast<double>(counts.total()) * (s1 - s0) *
                          (2 * score.score - s0 - s1) / (2 * score.variance);
  EXPECT_NEAR(EvaluateSprt({.elo0 = 0, .elo1 = 3}, counts).llr, expected, 0.01 * expected);
}

TEST(SprtTest, DecidesAtTheBounds) {
  EXPECT_EQ(EvaluateSprt({}, {{10, 100, 400, 300, 50}}).decision, SprtDecision::kAccept1);
  EXPECT_EQ(EvaluateSprt({}, {{50, 300, 400, 100, 10}}).decision, SprtDecision::kAccept0);
}

// The share of simulated matches between players of this difference that accept hypothesis 1.
double AcceptRate(double elo, const SprtOptions& options, int matches) {
  const double p = ScoreOfElo(elo);
  Random random(3, StreamId("sprt", static_cast<uint64_t>(elo + 1000)));
  int accepted = 0;
  for (int match = 0; match < matches; ++match) {
    PairCounts counts;
    SprtDecision decision = SprtDecision::kContinue;
    while (decision == SprtDecision::kContinue) {
      int halves = 0;
      for (int game = 0; game < 2; ++game) {
        const double draw = random.UniformDouble();
        halves += draw < p - 0.2 ? 2 : draw < p + 0.2 ? 1 : 0;
      }
      ++counts.pairs[halves];
      decision = EvaluateSprt(options, counts).decision;
    }
    accepted += decision == SprtDecision::kAccept1;
  }
  return accepted / double(matches);
}

// The bounds promise 10 % and 20 %; the last pair overshoots them, so that errors are rarer.
TEST(SprtTest, ErrsAsRarelyAsPromised) {
  const SprtOptions options = {.elo0 = 0, .elo1 = 60, .alpha = 0.1, .beta = 0.2};
  constexpr int kMatches = 400;
  const double false_accepts = AcceptRate(options.elo0, options, kMatches);
  EXPECT_LT(false_accepts, 0.1 + 3 * std::sqrt(0.1 * 0.9 / kMatches));
  EXPECT_GT(false_accepts, 0.02);
  const double true_accepts = AcceptRate(options.elo1, options, kMatches);
  EXPECT_GT(true_accepts, 0.8 - 3 * std::sqrt(0.2 * 0.8 / kMatches));
  EXPECT_LT(true_accepts, 0.98);
}

}  // namespace
}  // namespace chuhe
