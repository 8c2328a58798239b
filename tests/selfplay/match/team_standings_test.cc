#include "selfplay/match/team_standings.h"

#include "gtest/gtest.h"

namespace chuhe {
namespace {

PlayedGame Game(int red, int black, GameOutcome outcome) {
  PlayedGame played;
  played.game.red = red;
  played.game.black = black;
  played.result.outcome = outcome;
  return played;
}

constexpr GameOutcome kRed = GameOutcome::kRedWins;
constexpr GameOutcome kBlack = GameOutcome::kBlackWins;
constexpr GameOutcome kDraw = GameOutcome::kDraw;

// Players 0 and 1 are team 0, 2 and 3 team 1, 4 and 5 team 2.
const std::vector<int> kTeams = {0, 0, 1, 1, 2, 2};

TEST(TeamStandingsTest, WinnersOfAMeetingMakeTwoPointsWhateverTheMargin) {
  const std::vector<TeamStanding> table = MakeTeamStandings(
      kTeams,
      // Team 0 beats team 1 by 2.5 to 1.5, is level with team 2; team 1 beats team 2 by 4 to 0.
      {Game(0, 2, kRed), Game(2, 0, kBlack), Game(1, 3, kDraw), Game(3, 1, kRed), Game(0, 4, kDraw),
       Game(4, 0, kDraw), Game(1, 5, kRed), Game(5, 1, kRed), Game(2, 4, kRed), Game(4, 2, kBlack),
       Game(3, 5, kRed), Game(5, 3, kBlack)});
  ASSERT_EQ(table.size(), 3u);
  EXPECT_EQ(table[0].team, 0);
  EXPECT_EQ(table[0].match_points, 3);
  EXPECT_EQ(table[0].board_points, 4.5);
  EXPECT_EQ(table[1].team, 1);
  EXPECT_EQ(table[1].match_points, 2);
  EXPECT_EQ(table[1].board_points, 5.5);  // more than the first, and yet behind it
  EXPECT_EQ(table[2].team, 2);
  EXPECT_EQ(table[2].match_points, 1);
  EXPECT_EQ(table[2].won, 0);
  EXPECT_EQ(table[2].level, 1);
  EXPECT_EQ(table[2].lost, 1);
  EXPECT_EQ(table[2].matches, 2);
}

TEST(TeamStandingsTest, BoardPointsTellLevelTeamsApart) {
  const std::vector<TeamStanding> table =
      MakeTeamStandings(kTeams, {Game(0, 4, kRed), Game(2, 4, kDraw), Game(3, 5, kRed)});
  EXPECT_EQ(table[0].team, 1);  // one and a half
  EXPECT_EQ(table[1].team, 0);  // one
  EXPECT_EQ(table[1].place, 2);
  EXPECT_EQ(table[0].match_points, table[1].match_points);
}

TEST(TeamStandingsTest, PlacesAreSharedWhereNothingDiffers) {
  const std::vector<TeamStanding> table = MakeTeamStandings(kTeams, {Game(0, 2, kDraw)});
  EXPECT_EQ(table[0].place, 1);
  EXPECT_EQ(table[1].place, 1);
  EXPECT_EQ(table[2].place, 3);
  EXPECT_EQ(table[2].matches, 0);
}

}  // namespace
}  // namespace chuhe
