#include "selfplay/match/match_game.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

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

TEST_F(MatchGameTest, MoveThatIsTakenBackTakesTimeAndEarnsNone) {
  options_.law.allowed_violations = 2;
  control_.periods = {{.moves = 3, .time_ms = 1000, .increment_ms = 50}};
  red_.AddMove("a0a1", false, 100'000);
  for (int i = 0; i < 2; ++i) red_.AddMove("e0e5", false, 200'000);
  red_.Add({.kind = AnswerKind::kResign});
  EXPECT_EQ(Play().reason, "resignation");
  EXPECT_EQ(red_.clock->time_ms, 1000 - 100 + 50 - 2 * 200);
  EXPECT_EQ(red_.clock->moves_to_go, 2);
}

TEST_F(MatchGameTest, VoidOffersDoNotUseUpTheLeniencyForIllegalMoves) {
  options_.law.allowed_violations = 2;
  red_.AddMove("a0a1", true);
  for (const char* move : {"a1a0", "a0a1"}) red_.AddMove(move, true);  // void
  for (int i = 0; i < 2; ++i) red_.AddMove("e0e5");
  red_.SkipShuffle();  // the rook stands on a1
  const GameResult result = Play();
  EXPECT_EQ(result.reason, "quiet-repetition");
  EXPECT_EQ(result.violations[0], 4);
  for (const char* move : {"a0a1", "a1a0", "a0a1"}) red_.AddMove(move, true);
  for (int i = 0; i < 3; ++i) red_.AddMove("e0e5");
  EXPECT_EQ(Play().reason, "illegal-move");
}

TEST_F(MatchGameTest, LenientLawForgivesTwoVoidOffers) {
  options_.law.allowed_violations = 2;
  for (const char* move : {"a0a1", "a1a0", "a0a1", "a1a0"}) red_.AddMove(move, true);
  const GameResult result = Play();
  EXPECT_EQ(result.outcome, GameOutcome::kBlackWins);
  EXPECT_EQ(result.reason, "void-offer");
  EXPECT_EQ(result.violations[0], 3);
  EXPECT_EQ(result.plies.size(), 6);
}

TEST_F(MatchGameTest, StrictLawCountsVoidOffersAndGoesOn) {
  for (const char* move : {"a0a1", "a1a0", "a0a1", "a1a0"}) red_.AddMove(move, true);
  const GameResult result = Play();
  EXPECT_EQ(result.reason, "quiet-repetition");
  EXPECT_EQ(result.violations[0], 3);
}

TEST_F(MatchGameTest, CountsThePliesWithAReportedTime) {
  const std::pair<const char*, std::optional<int64_t>> moves[] = {
      {"a0a1", 40}, {"a1a0", std::nullopt}, {"a0a1", 0}};
  for (const auto& [move, reported_ms] : moves) {
    MoveAnswer answer;
    answer.kind = AnswerKind::kMove;
    answer.move = *ParseUci(move);
    answer.elapsed_us = 50'000;
    answer.reported_ms = reported_ms;
    red_.Add(answer);
  }
  red_.SkipShuffle();
  const GameResult result = Play();
  EXPECT_EQ(result.measured_us[0], 100'000);
  EXPECT_EQ(result.reported_us[0], 40'000);
  EXPECT_EQ(result.reported_plies[0], 2);
  EXPECT_EQ(result.reported_plies[1], 0);
}

TEST_F(MatchGameTest, TimesThatCannotBeAreNotReported) {
  for (const int64_t reported_ms : {int64_t{-100}, int64_t{1} << 62}) {
    MoveAnswer answer;
    answer.kind = AnswerKind::kMove;
    answer.move = *ParseUci("a0a1");
    answer.reported_ms = reported_ms;
    red_.Add(answer);
    red_.SkipShuffle();
    EXPECT_EQ(Play().reported_plies[0], 0) << reported_ms;
  }
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

TEST_F(MatchGameTest, GameGoesOnFromItsTurns) {
  // Cut after any turn, the game is the same: clocks, offers, violations, adjudication.
  options_.law = {.allowed_violations = 2, .margin_ms = 5};
  control_.periods = {{.moves = 3, .time_ms = 1000, .increment_ms = 10}};
  options_.adjudication = {.win_cp = 300, .win_moves = 3};
  const auto script = [](ScriptedPlayer* red, ScriptedPlayer* black, size_t from) {
    const struct {
      bool is_red;
      const char* move;
      bool draw;
    } turns[] = {{true, "a3a4", true},  {false, "a6a5", false}, {true, "e0e5", false},
                 {true, "c3c4", true},  {false, "c6c5", false}, {true, "e3e4", false},
                 {false, "e6e5", true}, {true, "g3g4", false},  {false, "e9e4", false},
                 {false, "g6g5", false}};
    int64_t elapsed_us = 0;
    size_t number = 0;
    for (const auto& [is_red, move, draw] : turns) {
      elapsed_us += 10'000;
      if (number++ >= from) (is_red ? red : black)->AddMove(move, draw, elapsed_us);
    }
  };
  red_.usual_score = Score{.centipawns = 400};
  black_.usual_score = Score{.centipawns = -400};
  std::vector<Turn> turns;
  options_.on_turn = [&](const Turn& turn) { turns.push_back(turn); };
  script(&red_, &black_, 0);
  const GameResult whole = Play();
  EXPECT_EQ(whole.violations[0], 2);  // an illegal move and a void offer
  EXPECT_EQ(whole.violations[1], 1);
  EXPECT_EQ(whole.reason, "adjudication");
  const int64_t red_ms = red_.clock->time_ms;
  ASSERT_GT(turns.size(), 12);
  const std::vector<Turn> all = turns;
  for (size_t cut = 1; cut < all.size(); ++cut) {
    ScriptedPlayer red;
    ScriptedPlayer black;
    red.usual_score = red_.usual_score;
    black.usual_score = black_.usual_score;
    script(&red, &black, cut);
    // What the script has not, a shuffle of the rooks, has to begin at the right place.
    for (size_t turn = 10; turn < cut; ++turn) {
      ScriptedPlayer& player = all[turn].answer.move.from() < MakeSquare(0, 5) ? red : black;
      player.SkipShuffle();
    }
    turns.clear();
    options_.earlier_turns.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(cut));
    const absl::StatusOr<GameResult> result =
        MatchGame(Game(Position::Start()), {&red, control_}, {&black, control_}, options_).Play();
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->reason, whole.reason) << cut;
    EXPECT_EQ(result->detail, whole.detail);
    EXPECT_EQ(result->violations[0], whole.violations[0]);
    EXPECT_EQ(result->violations[1], whole.violations[1]);
    EXPECT_EQ(result->plies.size(), whole.plies.size());
    EXPECT_EQ(turns.size(), all.size() - cut);
    if (red.clock.has_value()) {
      EXPECT_EQ(red.clock->time_ms, red_ms);
    }
  }
}

TEST_F(MatchGameTest, RuleOffersAndTakesDrawsForPlayers) {
  DrawRule offers;
  ASSERT_TRUE(ParseDrawOffer("10:2:2", &offers).ok());
  DrawRule takes;
  ASSERT_TRUE(ParseDrawAcceptance("0", &takes).ok());
  red_.usual_score = Score{.centipawns = -10};
  black_.usual_score = Score{.centipawns = 0};
  const auto play = [&](const DrawRule& red, const DrawRule& black) {
    return *MatchGame(Game(Position::Start()), {&red_, control_, red}, {&black_, control_, black},
                      options_)
                .Play();
  };
  GameResult result = play(offers, takes);
  EXPECT_EQ(result.reason, "agreement");
  EXPECT_EQ(result.detail, "Black takes the offer of a draw");
  EXPECT_EQ(result.plies.size(), 3);  // Red's second move comes with it
  EXPECT_TRUE(black_.was_offered_draw);
  // Who would rather play on does not take it, and is asked once only: that is the law.
  black_.usual_score = Score{.centipawns = 1};
  result = play(offers, takes);
  EXPECT_EQ(result.reason, "quiet-repetition");
  EXPECT_EQ(result.violations[0], 0);
  // Nobody does anything of that kind without a rule, or before its ply.
  black_.usual_score = Score{.centipawns = 0};
  EXPECT_EQ(play({}, takes).reason, "quiet-repetition");
  takes.accept_from = 4;
  EXPECT_EQ(play(offers, takes).reason, "quiet-repetition");
  red_.usual_score = Score{.centipawns = 11};
  takes.accept_from = 0;
  EXPECT_EQ(play(offers, takes).reason, "quiet-repetition");
  // A word of the player's own may be taken by rule.
  red_.AddMove("a0a1", /*draw=*/true);
  EXPECT_EQ(play({}, takes).plies.size(), 1);
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
