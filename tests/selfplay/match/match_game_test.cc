#include "selfplay/match/match_game.h"

#include <string>

#include "engine/board/fen.h"
#include "engine/rules/notation/coordinates.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/selfplay/match/engines.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
using testing::ScriptedPlayer;

class MatchGameTest : public ::testing::Test {
 protected:
  GameResult Play(const Position& start = Position::Start()) {
    const absl::StatusOr<GameResult> result =
        MatchGame(Game(start), {&red_, control_}, {&black_, control_}, options_).Play();
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : GameResult{};
  }

  ScriptedPlayer red_;
  ScriptedPlayer black_;
  TimeControl control_;
  MatchGameOptions options_;
};

TEST_F(MatchGameTest, JudgeEndsTheGameUnclaimed) {
  const GameResult result = Play();
  EXPECT_EQ(result.outcome, GameOutcome::kDraw);
  EXPECT_EQ(result.reason, "quiet-repetition");
  EXPECT_EQ(result.plies.size(), 8);
}

TEST_F(MatchGameTest, IllegalMoveLosesAtOnce) {
  red_.AddMove("e0e5");
  const GameResult result = Play();
  EXPECT_EQ(result.outcome, GameOutcome::kBlackWins);
  EXPECT_EQ(result.reason, "illegal-move");
  EXPECT_THAT(result.detail, HasSubstr("Red plays e0e5: "));
  EXPECT_EQ(result.violations[0], 1);
}

TEST_F(MatchGameTest, LenientLawForgivesTwoIllegalMoves) {
  options_.law.allowed_violations = 2;
  black_.AddMove("e9e5");
  black_.AddMove("e9e5");
  EXPECT_EQ(Play().reason, "quiet-repetition");
  for (int i = 0; i < 3; ++i) black_.AddMove("e9e5");
  const GameResult result = Play();
  EXPECT_EQ(result.outcome, GameOutcome::kRedWins);
  EXPECT_EQ(result.reason, "illegal-move");
  EXPECT_EQ(result.violations[1], 3);
}

TEST_F(MatchGameTest, OfferThatIsTakenDraws) {
  red_.AddMove("a0a1", /*draw=*/true);
  black_.AddMove("a9a8", /*draw=*/true);
  const GameResult result = Play();
  EXPECT_TRUE(black_.was_offered_draw);
  EXPECT_EQ(result.reason, "agreement");
  EXPECT_EQ(result.plies.size(), 1);
}

TEST_F(MatchGameTest, RefusedSideMayNotOfferAgainBeforeTheOther) {
  red_.AddMove("a0a1", true);
  black_.AddMove("a9a8");
  red_.AddMove("a1a0", true);    // void
  black_.AddMove("a8a9", true);  // an offer of Black's own, not an answer
  red_.AddMove("a0a1");
  black_.AddMove("a9a8");
  red_.AddMove("a1a0", true);  // Black has offered since: it counts
  black_.AddMove("a8a9", true);
  const GameResult result = Play();
  EXPECT_EQ(result.reason, "agreement");
  EXPECT_EQ(result.plies.size(), 7);
  EXPECT_EQ(result.violations[0], 1);
  EXPECT_EQ(result.violations[1], 0);
}

TEST_F(MatchGameTest, FlagFallsBeyondTheMargin) {
  control_.periods = {{.time_ms = 1000, .increment_ms = 10}};
  options_.law.margin_ms = 5;
  red_.AddMove("a0a1", false, 1'004'000);  // 4 ms over: forgiven, nothing left
  red_.AddMove("a1a0", false, 16'000);
  const GameResult result = Play();
  EXPECT_EQ(result.outcome, GameOutcome::kBlackWins);
  EXPECT_EQ(result.reason, "time");
  EXPECT_THAT(result.detail, HasSubstr("takes 0.016 s with 0.010 s on the clock"));
}

TEST_F(MatchGameTest, FixedMoveTimeIsKept) {
  control_.movetime_ms = 100;
  black_.AddMove("a9a8", false, 100'000);
  black_.AddMove("a8a9", false, 100'001);
  const GameResult result = Play();
  EXPECT_EQ(result.outcome, GameOutcome::kRedWins);
  EXPECT_EQ(result.reason, "time");
}

TEST_F(MatchGameTest, PlayersAreToldTheirClocks) {
  control_.periods = {{.moves = 2, .time_ms = 1000}, {.moves = 3, .time_ms = 500}};
  for (const char* move : {"a0a1", "a1a0"}) red_.AddMove(move, false, 300'000);
  red_.Add({.kind = AnswerKind::kResign});
  EXPECT_EQ(Play().reason, "resignation");
  EXPECT_EQ(red_.clock->time_ms, 400 + 500);
  EXPECT_EQ(red_.clock->moves_to_go, 3);
}

TEST_F(MatchGameTest, RoundLimitAndPlyCapDraw) {
  options_.law.round_limit = 2;
  EXPECT_EQ(Play().reason, "round-limit");
  options_.law = {.ply_cap = 3};
  EXPECT_EQ(Play().reason, "ply-cap");
}

TEST_F(MatchGameTest, ScoresThatAgreeEndTheGame) {
  options_.adjudication = {.win_cp = 300, .win_moves = 2};
  red_.usual_score = Score{.centipawns = 350};
  black_.usual_score = Score{.centipawns = -299};
  EXPECT_EQ(Play().reason, "quiet-repetition");
  black_.usual_score = Score{.centipawns = -300};
  const GameResult result = Play();
  EXPECT_EQ(result.outcome, GameOutcome::kRedWins);
  EXPECT_EQ(result.reason, "adjudication");
  EXPECT_EQ(result.plies.size(), 4);
}

TEST_F(MatchGameTest, AuditPlaysOnAndRemembersTheDecision) {
  options_.adjudication = {.win_cp = 300, .win_moves = 2};
  options_.audits = true;
  red_.usual_score = Score{.centipawns = 350};
  black_.usual_score = Score{.centipawns = -350};
  const GameResult result = Play();
  EXPECT_EQ(result.reason, "quiet-repetition");
  EXPECT_EQ(result.audited, GameOutcome::kRedWins);
  EXPECT_EQ(result.audited_ply, 4);
}

TEST_F(MatchGameTest, MateEndsTheGame) {
  const Position start = ParseFen("3k5/9/9/9/9/9/9/4R4/8R/4K4 w")->position;
  red_.AddMove("e2d2");
  EXPECT_EQ(Play(start).reason, "checkmate");
}

TEST_F(MatchGameTest, GameThatIsOverIsNotPlayed) {
  const GameResult result = Play(ParseFen("3k5/8R/3R5/9/9/9/9/9/9/4K4 b")->position);
  EXPECT_EQ(result.outcome, GameOutcome::kRedWins);
  EXPECT_EQ(result.plies.size(), 0);
}

}  // namespace
}  // namespace chuhe
