#include "selfplay/match/schedule.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/match/standings.h"

namespace chuhe {
namespace {

using Meetings = std::map<std::pair<int, int>, int>;

// Games by red and black.
Meetings Count(const std::vector<ScheduledGame>& games) {
  Meetings count;
  for (const ScheduledGame& game : games) ++count[{game.red, game.black}];
  return count;
}

PlayedGame Played(const ScheduledGame& game, GameOutcome outcome) {
  PlayedGame played;
  played.game = game;
  played.result.outcome = outcome;
  return played;
}

// The player with the lower number wins.
void PlayAll(const std::vector<ScheduledGame>& games, std::vector<PlayedGame>* played) {
  for (const ScheduledGame& game : games) {
    played->push_back(
        Played(game, game.red < game.black ? GameOutcome::kRedWins : GameOutcome::kBlackWins));
  }
}

TEST(ScheduleTest, RoundRobinMeetsEverybodyEquallyWithBothColors) {
  for (const int players : {2, 3, 4, 7}) {
    auto schedule = MakeSchedule({.players = players, .games = 3});
    ASSERT_TRUE(schedule.ok());
    const std::vector<ScheduledGame> games = (*schedule)->NextRound({});
    EXPECT_EQ(games.size(), players * (players - 1) * 2);
    for (const auto& [colors, count] : Count(games)) EXPECT_EQ(count, 2);
    for (size_t i = 0; i < games.size(); ++i) EXPECT_EQ(games[i].index, i);
    EXPECT_TRUE((*schedule)->NextRound({}).empty());
  }
}

TEST(ScheduleTest, GauntletIsTheFirstAgainstTheOthers) {
  auto schedule = MakeSchedule({.format = MatchFormat::kGauntlet, .players = 4, .games = 2});
  const Meetings count = Count((*schedule)->NextRound({}));
  EXPECT_EQ(count.size(), 6);
  for (const auto& [colors, games] : count) EXPECT_TRUE(colors.first == 0 || colors.second == 0);
}

TEST(ScheduleTest, SwissDoesNotRepeatMeetingsAndPairsEquals) {
  auto schedule = MakeSchedule({.format = MatchFormat::kSwiss, .players = 8, .games = 2});
  std::vector<PlayedGame> played;
  std::set<std::pair<int, int>> met;
  int rounds = 0;
  for (auto games = (*schedule)->NextRound(played); !games.empty();
       games = (*schedule)->NextRound(played)) {
    EXPECT_EQ(games.size(), 8);
    for (size_t i = 0; i < games.size(); i += 2) {
      EXPECT_TRUE(met.insert(std::minmax(games[i].red, games[i].black)).second);
    }
    PlayAll(games, &played);
    ++rounds;
  }
  EXPECT_EQ(rounds, 3);
  const Standings standings = MakeStandings(8, played, TieBreak::kBuchholz);
  EXPECT_EQ(standings.table[0].player, 0);
  EXPECT_EQ(standings.table[0].points, 6);
}

TEST(ScheduleTest, SwissOfAResumedMatchGoesTheSameWay) {
  const ScheduleOptions options = {.format = MatchFormat::kSwiss, .players = 5, .games = 2};
  auto first = MakeSchedule(options);
  std::vector<PlayedGame> played;
  std::vector<Meetings> rounds;
  for (auto games = (*first)->NextRound(played); !games.empty();
       games = (*first)->NextRound(played)) {
    rounds.push_back(Count(games));
    PlayAll(games, &played);
  }
  auto second = MakeSchedule(options);
  for (const Meetings& round : rounds) EXPECT_EQ(Count((*second)->NextRound(played)), round);
  EXPECT_TRUE((*second)->NextRound(played).empty());
}

TEST(ScheduleTest, WhoSitsOutHasThePointsOfAMeetingThatIsWon) {
  const ScheduleOptions options = {
      .format = MatchFormat::kSwiss, .players = 3, .games = 2, .rounds = 2};
  auto schedule = MakeSchedule(options);
  std::vector<PlayedGame> played;
  // 2 sits out first, then 1, who has lost.
  for (auto games = (*schedule)->NextRound(played); !games.empty();
       games = (*schedule)->NextRound(played)) {
    PlayAll(games, &played);
  }
  const Standings standings = MatchTable(options, played);
  EXPECT_EQ(standings.table[0].player, 0);
  EXPECT_EQ(standings.table[0].points, 4);
  EXPECT_EQ(standings.table[0].bye_points, 0);
  for (int place = 1; place < 3; ++place) {
    const PlayerStanding& player = standings.table[static_cast<size_t>(place)];
    EXPECT_EQ(player.points, 2) << place;
    EXPECT_EQ(player.bye_points, 2) << place;
    EXPECT_EQ(player.counts.games(), 2) << place;
    EXPECT_EQ(player.tie_break, 2 * 4) << place;  // of the one whom they met, twice
  }
}

TEST(ScheduleTest, LadderIsReportedByItsRungs) {
  const ScheduleOptions options = {
      .format = MatchFormat::kLadder, .players = 3, .games = 2, .rounds = 3};
  auto schedule = MakeSchedule(options);
  std::vector<PlayedGame> played;
  // The last player beats everybody, and climbs past the two above him.
  for (auto games = (*schedule)->NextRound(played); !games.empty();
       games = (*schedule)->NextRound(played)) {
    for (const ScheduledGame& game : games) {
      const GameOutcome outcome = game.red == 2     ? GameOutcome::kRedWins
                                  : game.black == 2 ? GameOutcome::kBlackWins
                                                    : GameOutcome::kDraw;
      played.push_back(Played(game, outcome));
    }
  }
  std::vector<int> order;
  for (const PlayerStanding& player : MatchTable(options, played).table) {
    order.push_back(player.player);
    EXPECT_EQ(player.place, static_cast<int>(order.size()));
  }
  EXPECT_EQ(order, (std::vector<int>{2, 0, 1}));
}

// Rounds of one opening each: the meetings of the next one, lower number first.
std::set<std::pair<int, int>> NextMeetings(Schedule* schedule,
                                           const std::vector<PlayedGame>& played,
                                           std::vector<ScheduledGame>* games) {
  *games = schedule->NextRound(played);
  std::set<std::pair<int, int>> meetings;
  for (const ScheduledGame& game : *games) meetings.insert(std::minmax(game.red, game.black));
  return meetings;
}

TEST(ScheduleTest, SwissLooksAheadToAvoidMeetingsAgain) {
  auto schedule = MakeSchedule({.format = MatchFormat::kSwiss, .players = 6, .rounds = 3});
  std::vector<PlayedGame> played;
  std::vector<ScheduledGame> games;
  std::set<std::pair<int, int>> met;
  // In the third round 0 meets 4; if 1 then met 2, who is nearest, 3 and 5 would have to meet
  // again.
  for (const std::set<int>& winners : {std::set{0, 2, 4}, std::set{0, 4, 3}, std::set<int>()}) {
    for (const auto& meeting : NextMeetings(schedule->get(), played, &games)) {
      EXPECT_TRUE(met.insert(meeting).second) << meeting.first << " - " << meeting.second;
    }
    for (const ScheduledGame& game : games) {
      played.push_back(Played(
          game, winners.contains(game.red) ? GameOutcome::kRedWins : GameOutcome::kBlackWins));
    }
  }
  EXPECT_EQ(met.size(), 9);
}

// By trying all pairings.
int FewestAgain(std::set<int> players, const std::set<std::pair<int, int>>& met) {
  if (players.empty()) return 0;
  const int first = *players.begin();
  players.erase(first);
  int fewest = 1000;
  for (const int second : players) {
    std::set<int> rest = players;
    rest.erase(second);
    const int again = met.contains({first, second}) ? 1 : 0;
    fewest = std::min(fewest, again + FewestAgain(rest, met));
  }
  return fewest;
}

// Of an odd number one sits out who has not yet, if there is one.
int FewestAgainWithRest(const std::set<int>& players, const std::set<int>& sat_out,
                        const std::set<std::pair<int, int>>& met) {
  if (players.size() % 2 == 0) return FewestAgain(players, met);
  int fewest = 1000;
  for (const int sits : players) {
    if (sat_out.contains(sits) && sat_out.size() < players.size()) continue;
    std::set<int> others = players;
    others.erase(sits);
    fewest = std::min(fewest, FewestAgain(others, met));
  }
  return fewest;
}

TEST(ScheduleTest, SwissHasTheFewestMeetingsAgainWhateverTheResults) {
  Random random(1, StreamId("swiss"));
  constexpr GameOutcome kOutcomes[] = {GameOutcome::kRedWins, GameOutcome::kBlackWins,
                                       GameOutcome::kDraw};
  for (int match = 0; match < 300; ++match) {
    const int players = 4 + match % 5;
    // More rounds than there are opponents, so that some have to meet again.
    auto schedule =
        MakeSchedule({.format = MatchFormat::kSwiss, .players = players, .rounds = players + 2});
    std::set<int> all;
    for (int player = 0; player < players; ++player) all.insert(player);
    std::vector<PlayedGame> played;
    std::vector<ScheduledGame> games;
    std::set<std::pair<int, int>> met;
    std::set<int> sat_out;
    for (;;) {
      const auto meetings = NextMeetings(schedule->get(), played, &games);
      if (games.empty()) break;
      std::set<int> sit = all;
      int again = 0;
      for (const auto& [first, second] : meetings) {
        EXPECT_EQ(sit.erase(first) + sit.erase(second), 2);
        again += met.contains({first, second}) ? 1 : 0;
      }
      EXPECT_EQ(sit.size(), players % 2);
      ASSERT_EQ(again, FewestAgainWithRest(all, sat_out, met)) << match;
      met.insert(meetings.begin(), meetings.end());
      sat_out.insert(sit.begin(), sit.end());
      for (const ScheduledGame& game : games) {
        played.push_back(Played(game, kOutcomes[random.Below(3)]));
      }
    }
  }
}

TEST(ScheduleTest, LadderOfTwoPlaysAllItsRounds) {
  auto schedule = MakeSchedule({.format = MatchFormat::kLadder, .players = 2, .rounds = 3});
  std::vector<PlayedGame> played;
  std::vector<ScheduledGame> games;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(NextMeetings(schedule->get(), played, &games).size(), 1) << round;
    PlayAll(games, &played);
  }
  EXPECT_TRUE((*schedule)->NextRound(played).empty());
}

TEST(ScheduleTest, LadderMovesWinnersUp) {
  auto schedule =
      MakeSchedule({.format = MatchFormat::kLadder, .players = 3, .games = 2, .rounds = 3});
  std::vector<PlayedGame> played;
  // Player 1 begins below 0 and wins everything.
  const auto win_of_one = [&](const std::vector<ScheduledGame>& games) {
    for (const ScheduledGame& game : games) {
      played.push_back(
          Played(game, game.red == 1 ? GameOutcome::kRedWins : GameOutcome::kBlackWins));
    }
  };
  const auto first = (*schedule)->NextRound(played);
  EXPECT_EQ(std::minmax(first[0].red, first[0].black), std::minmax(0, 1));
  win_of_one(first);
  const auto second = (*schedule)->NextRound(played);  // 1 0 2: the lower two meet
  EXPECT_EQ(std::minmax(second[0].red, second[0].black), std::minmax(0, 2));
}

TEST(ScheduleTest, TeamsMeetBoardByBoard) {
  auto schedule = MakeSchedule(
      {.format = MatchFormat::kTeams, .players = 4, .games = 2, .teams = {0, 1, 0, 1}});
  const Meetings count = Count((*schedule)->NextRound({}));
  EXPECT_EQ(count, (Meetings{{{0, 1}, 1}, {{1, 0}, 1}, {{2, 3}, 1}, {{3, 2}, 1}}));
  EXPECT_FALSE(
      MakeSchedule({.format = MatchFormat::kTeams, .players = 3, .teams = {0, 1, 1}}).ok());
}

TEST(ScheduleTest, RefusesFewerThanTwo) { EXPECT_FALSE(MakeSchedule({.players = 1}).ok()); }

// A beats B twice, B beats C twice, A and C draw twice: 3, 2 and 1 points.
TEST(StandingsTest, TieBreaksFollowTheirDefinitions) {
  std::vector<PlayedGame> games;
  const auto add = [&](int red, int black, GameOutcome outcome) {
    const int index = static_cast<int>(games.size());
    games.push_back(
        Played({.index = index, .pair = index / 2, .red = red, .black = black}, outcome));
  };
  add(0, 1, GameOutcome::kRedWins);
  add(1, 0, GameOutcome::kBlackWins);
  add(1, 2, GameOutcome::kRedWins);
  add(2, 1, GameOutcome::kBlackWins);
  add(0, 2, GameOutcome::kDraw);
  add(2, 0, GameOutcome::kDraw);
  const Standings sb = MakeStandings(3, games, TieBreak::kSonnebornBerger);
  EXPECT_EQ(sb.table[0].points, 3);
  EXPECT_EQ(sb.table[0].tie_break, 2 * 2 + 2 * 0.5 * 1);  // beat 2 points twice, drew 1 twice
  EXPECT_EQ(sb.table[2].tie_break, 2 * 0.5 * 3);
  const Standings buchholz = MakeStandings(3, games, TieBreak::kBuchholz);
  EXPECT_EQ(buchholz.table[0].tie_break, 2 * 2 + 2 * 1);
  EXPECT_EQ(sb.Pairs(0, 1).pairs[4], 1);
  EXPECT_EQ(sb.Pairs(1, 0).pairs[0], 1);
  EXPECT_EQ(sb.Pairs(0, 2).pairs[2], 1);
}

TEST(StandingsTest, OverheadIsAMeanOverTheMovesWithAReportedTime) {
  std::vector<PlayedGame> games = {Played({.red = 0, .black = 1}, GameOutcome::kDraw)};
  GameResult& result = games[0].result;
  for (int i = 0; i < 8; ++i) result.plies.push_back({.move = Move(0, 9), .elapsed_us = 50'000});
  result.measured_us[0] = 100'000;
  result.reported_us[0] = 80'000;
  result.reported_plies[0] = 2;  // of four
  const Standings standings = MakeStandings(2, games, TieBreak::kSonnebornBerger);
  EXPECT_EQ(standings.table[0].overhead_ms, 10);
  EXPECT_EQ(standings.table[1].overhead_ms, 0);
}

TEST(StandingsTest, FewerViolationsComeFirstAndEqualsShareAPlace) {
  std::vector<PlayedGame> games = {
      Played({.index = 0, .pair = 0, .red = 0, .black = 1}, GameOutcome::kDraw),
      Played({.index = 1, .pair = 0, .red = 1, .black = 0}, GameOutcome::kDraw)};
  Standings standings = MakeStandings(2, games, TieBreak::kSonnebornBerger);
  EXPECT_EQ(standings.table[0].place, 1);
  EXPECT_EQ(standings.table[1].place, 1);
  games[0].result.violations[0] = 1;
  standings = MakeStandings(2, games, TieBreak::kSonnebornBerger);
  EXPECT_EQ(standings.table[0].player, 1);
  EXPECT_EQ(standings.table[1].place, 2);
}

}  // namespace
}  // namespace chuhe
