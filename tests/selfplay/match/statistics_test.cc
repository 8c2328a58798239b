#include "selfplay/match/statistics.h"

#include <cmath>
#include <limits>

#include "engine/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(EloTest, ScoresAndRatingsAreInverse) {
  EXPECT_DOUBLE_EQ(ScoreOfElo(0), 0.5);
  EXPECT_NEAR(ScoreOfElo(400), 10.0 / 11, 1e-12);
  EXPECT_NEAR(ScoreOfElo(-400), 1.0 / 11, 1e-12);
  for (const double elo : {-700.0, -3.0, 0.0, 12.5, 190.8}) {
    EXPECT_NEAR(EloOfScore(ScoreOfElo(elo)), elo, 1e-9);
  }
  EXPECT_EQ(EloOfScore(1), kInfinity);
  EXPECT_EQ(EloOfScore(0), -kInfinity);
}

// 60 wins, 20 draws, 20 losses: score 0.7, variance 0.6 + 0.05 - 0.49 = 0.16, error 0.04.
TEST(EloTest, SingleGamesFollowTheClosedForm) {
  const GameCounts counts = {.wins = 60, .draws = 20, .losses = 20};
  const ScoreEstimate score = EstimateScore(counts);
  EXPECT_NEAR(score.score, 0.7, 1e-12);
  EXPECT_NEAR(score.variance, 0.16, 1e-12);
  EXPECT_NEAR(score.standard_error, 0.04, 1e-12);
  const EloEstimate elo = EstimateElo(counts);
  EXPECT_NEAR(elo.elo, 400 * std::log10(7.0 / 3), 1e-9);
  EXPECT_NEAR(elo.lower, EloOfScore(0.7 - 1.959964 * 0.04), 1e-4);
  EXPECT_NEAR(elo.upper, EloOfScore(0.7 + 1.959964 * 0.04), 1e-4);
  EXPECT_NEAR(elo.superiority, 0.5 * std::erfc(-5 / std::sqrt(2.0)), 1e-12);
  EXPECT_NEAR(elo.normalized_elo, 0.2 / 0.4 * 800 / std::log(10.0), 1e-9);
}

// Pairs 1-1 by a win each have no spread of their own, whatever the single games say.
TEST(EloTest, PairsAndNotGamesAreIndependent) {
  const PairCounts level = {{0, 0, 50, 0, 0}};
  EXPECT_EQ(EstimateScore(level).variance, 0);
  EXPECT_EQ(EstimateElo(level).superiority, 0.5);
  const PairCounts mixed = {{4, 10, 40, 30, 16}};
  const ScoreEstimate score = EstimateScore(mixed);
  EXPECT_NEAR(score.score, (10 * 0.25 + 40 * 0.5 + 30 * 0.75 + 16) / 100, 1e-12);
  const double squares = (10 * 0.0625 + 40 * 0.25 + 30 * 0.5625 + 16) / 100;
  EXPECT_NEAR(score.variance, squares - score.score * score.score, 1e-12);
}

// Where all pairs ended alike the interval and the likelihood say the same.
TEST(EloTest, LikelihoodOfSuperiorityAgreesWithTheIntervalWithoutSpread) {
  for (const int half_points : {0, 1, 3, 4}) {
    for (int64_t n = 1; n <= 40; ++n) {
      PairCounts counts;
      counts.pairs[static_cast<size_t>(half_points)] = n;
      const EloEstimate elo = EstimateElo(counts);
      EXPECT_EQ(elo.superiority > 0.975, elo.lower > 0) << half_points << " " << n;
      EXPECT_EQ(elo.superiority < 0.025, elo.upper < 0) << half_points << " " << n;
      EXPECT_EQ(elo.superiority >= 0.5, half_points > 2 || n < 2) << half_points << " " << n;
    }
  }
  EXPECT_NEAR(EstimateElo(PairCounts{{0, 0, 0, 0, 3}}).superiority, 1 - 0.125, 1e-12);
  EXPECT_NEAR(EstimateElo(PairCounts{{0, 3, 0, 0, 0}}).superiority, 8.0 / 27, 1e-12);
}

TEST(EloTest, HasNoBoundsBelowTwoObservations) {
  for (const EloEstimate& elo : {EstimateElo(GameCounts{.wins = 1}), EstimateElo(GameCounts{}),
                                 EstimateElo(PairCounts{{0, 0, 0, 1, 0}})}) {
    EXPECT_EQ(elo.lower, -kInfinity);
    EXPECT_EQ(elo.upper, kInfinity);
  }
  EXPECT_EQ(EstimateElo(GameCounts{}).elo, 0);
}

TEST(EloTest, WinsOnlyAreInfinitelyBetter) {
  const EloEstimate elo = EstimateElo(GameCounts{.wins = 10});
  EXPECT_EQ(elo.elo, kInfinity);
  EXPECT_EQ(elo.upper, kInfinity);
  // The exact bound of Clopper and Pearson.
  EXPECT_NEAR(elo.lower, EloOfScore(std::pow(0.025, 0.1)), 1e-9);
  EXPECT_NEAR(elo.superiority, 1 - std::pow(0.5, 10), 1e-12);
}

// In matches between players of a known difference the interval covers it in 95 of 100.
TEST(EloTest, IntervalsOfPairsCoverTheTruth) {
  constexpr int kMatches = 2000;
  constexpr int kPairs = 200;
  // An opening that favours one colour makes the games of a pair depend on each other.
  const double red_wins = 0.55;
  const double truth = EloOfScore((red_wins + 0.10) / 2 + 0.30 / 2 + 0.0);
  Random random(7, StreamId("coverage"));
  int covered = 0;
  for (int match = 0; match < kMatches; ++match) {
    PairCounts counts;
    for (int pair = 0; pair < kPairs; ++pair) {
      int halves = 0;
      // As Red the first player wins 55 %, draws 30 %; as Black wins 10 %, draws 30 %.
      for (const double wins : {red_wins, 0.10}) {
        const double draw = random.UniformDouble();
        halves += draw < wins ? 2 : draw < wins + 0.30 ? 1 : 0;
      }
      ++counts.pairs[halves];
    }
    const EloEstimate elo = EstimateElo(counts);
    covered += elo.lower <= truth && truth <= elo.upper;
  }
  // Three standard deviations of the count are 1.5 %.
  EXPECT_NEAR(covered / double{kMatches}, 0.95, 0.015);
}

}  // namespace
}  // namespace chuhe
