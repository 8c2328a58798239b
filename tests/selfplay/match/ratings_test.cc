#include "selfplay/match/ratings.h"

#include <cmath>

#include "engine/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/match/statistics.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

std::vector<RatedPlayer> Players(int count) {
  std::vector<RatedPlayer> players;
  for (int i = 0; i < count; ++i) players.push_back({.name = std::string(1, char('A' + i))});
  return players;
}

absl::StatusOr<RatingList> Rate(const std::vector<RatedPlayer>& players,
                                const std::vector<Encounter>& encounters, bool advantage = false,
                                double prior = 0) {
  return RatePlayers(players, encounters, {.prior_draws = prior, .estimate_advantage = advantage});
}

// Two players: the difference and its error are those of the match's score.
TEST(RatingsTest, TwoPlayersAgreeWithTheEloOfTheirMatch) {
  std::vector<RatedPlayer> players = Players(2);
  players[1].anchor = 1500;
  const auto list = Rate(players, {{0, 1, 60, 20, 20}});
  ASSERT_TRUE(list.ok()) << list.status();
  const EloEstimate elo = EstimateElo(GameCounts{.wins = 60, .draws = 20, .losses = 20});
  EXPECT_NEAR(list->players[0].elo, 1500 + elo.elo, 1e-6);
  EXPECT_EQ(list->players[1].elo, 1500);
  EXPECT_EQ(list->players[1].error, 0);
  // The bar in Elo is the one of the score over the slope s (1 - s) there.
  const double slope = 0.7 * 0.3 * std::log(10.0) / 400;
  EXPECT_NEAR(list->players[0].error, 1.959964 * 0.04 / slope, 1e-3);
  EXPECT_EQ(list->players[0].games, 100);
  EXPECT_EQ(list->players[0].points, 70);
}

// With scores that the model can fit exactly, the maximum is where it does.
TEST(RatingsTest, ReturnsTheRatingsThatScoresWereMadeFrom) {
  const std::vector<double> truth = {150, 20, -40, -130};
  const double advantage = 35;
  std::vector<Encounter> encounters;
  for (int red = 0; red < 4; ++red) {
    for (int black = 0; black < 4; ++black) {
      if (red == black) continue;
      const double p = ScoreOfElo(truth[red] - truth[black] + advantage);
      const double games = 10 + 3 * red + black;
      // Six tenths of the points by wins, the others by draws.
      const double wins = 0.6 * games * p;
      const double draws = 0.8 * games * p;
      encounters.push_back({red, black, wins, draws, games - wins - draws});
    }
  }
  const auto list = RatePlayers(Players(4), encounters, {});
  ASSERT_TRUE(list.ok()) << list.status();
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(list->players[i].elo, truth[i], 1e-6);
  EXPECT_NEAR(list->advantage, advantage, 1e-6);
}

TEST(RatingsTest, CentresOnTheMeanWithoutAnchors) {
  const auto list = RatePlayers(Players(3), {{0, 1, 3, 4, 1}, {1, 2, 2, 2, 2}, {2, 0, 1, 1, 4}},
                                {.estimate_advantage = false, .mean = 2000});
  ASSERT_TRUE(list.ok()) << list.status();
  double sum = 0;
  for (const Rating& player : list->players) sum += player.elo;
  EXPECT_NEAR(sum / 3, 2000, 1e-9);
}

TEST(RatingsTest, SeveralAnchorsStayWhereTheyAre) {
  std::vector<RatedPlayer> players = Players(3);
  players[0].anchor = 100;
  players[2].anchor = -100;
  const auto list = Rate(players, {{0, 1, 5, 5, 5}, {1, 2, 5, 5, 5}});
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->players[0].elo, 100);
  EXPECT_EQ(list->players[2].elo, -100);
  EXPECT_NEAR(list->players[1].elo, 0, 1e-6);
}

TEST(RatingsTest, NamesPlayersThatNoGamesLink) {
  const auto list = Rate(Players(4), {{0, 1, 1, 1, 1}, {2, 3, 1, 1, 1}});
  EXPECT_EQ(list.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(list.status().message()), HasSubstr("links A and C"));
}

TEST(RatingsTest, SaysWhoHasNoFiniteRatingAndAPriorHelps) {
  const std::vector<Encounter> encounters = {{0, 1, 5, 0, 0}, {1, 2, 2, 1, 2}};
  const auto list = Rate(Players(3), encounters);
  EXPECT_THAT(std::string(list.status().message()),
              HasSubstr("no chain of points won leads from B to A"));
  const auto with_prior = Rate(Players(3), encounters, false, 1);
  ASSERT_TRUE(with_prior.ok()) << with_prior.status();
  EXPECT_NEAR(with_prior->players[0].elo - with_prior->players[1].elo, EloOfScore(5.5 / 6), 1e-6);
}

// Where the search for the maximum begins is far from it, and all is flat beyond.
TEST(RatingsTest, FindsTheMaximumFarFromWhereItBegins) {
  for (const double anchor : {-4000.0, -1000.0, 0.0, 1000.0, 4000.0}) {
    std::vector<RatedPlayer> players = Players(2);
    players[1].anchor = anchor;
    const auto list = Rate(players, {{0, 1, 10, 0, 0}, {1, 0, 0, 0, 10}}, /*advantage=*/true, 1);
    ASSERT_TRUE(list.ok()) << anchor << ": " << list.status();
    EXPECT_NEAR(list->players[0].elo, anchor + EloOfScore(20.5 / 21), 1e-6) << anchor;
    EXPECT_NEAR(list->advantage, 0, 1e-6);
  }
}

TEST(RatingsTest, RefusesPlayersThatAreNone) {
  for (const auto& [red, black] : {std::pair(0, 2), std::pair(-1, 0), std::pair(1, 1)}) {
    EXPECT_EQ(Rate(Players(2), {{red, black, 1, 1, 1}}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

// Simulation: intervals of six players with known differences cover them in 95 of 100 cases, draws
// and first-move advantage included.
TEST(RatingsTest, IntervalsCoverTheTruth) {
  const std::vector<double> truth = {0, 60, -30, 120, -90, 10};
  const double advantage = 40;
  constexpr int kTournaments = 300;
  constexpr int kRounds = 20;
  std::vector<RatedPlayer> players = Players(6);
  players[0].anchor = 0;
  Random random(11, StreamId("tournaments"));
  int covered = 0;
  int covered_advantage = 0;
  for (int tournament = 0; tournament < kTournaments; ++tournament) {
    std::vector<Encounter> encounters;
    for (int red = 0; red < 6; ++red) {
      for (int black = 0; black < 6; ++black) {
        if (red == black) continue;
        Encounter encounter{red, black};
        for (int round = 0; round < kRounds; ++round) {
          const double p = ScoreOfElo(truth[red] - truth[black] + advantage);
          const double draws = 1.2 * p * (1 - p);
          const double draw = random.UniformDouble();
          ++(draw < draws           ? encounter.draws
             : draw < p + draws / 2 ? encounter.red_wins
                                    : encounter.black_wins);
        }
        encounters.push_back(encounter);
      }
    }
    const auto list = RatePlayers(players, encounters, {});
    ASSERT_TRUE(list.ok()) << list.status();
    for (int i = 1; i < 6; ++i) {
      covered += std::abs(list->players[i].elo - truth[i]) <= list->players[i].error;
    }
    covered_advantage += std::abs(list->advantage - advantage) <= list->advantage_error;
  }
  EXPECT_NEAR(covered / (5.0 * kTournaments), 0.95, 0.02);
  EXPECT_NEAR(covered_advantage / double{kTournaments}, 0.95, 0.04);
}

}  // namespace
}  // namespace chuhe
