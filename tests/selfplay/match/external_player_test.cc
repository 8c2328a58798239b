// Engines in other processes that fail in every way: the game is lost with a reason, and the next
// game is played.

#include <chrono>
#include <string>
#include <thread>

#include "engine/board/fen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/match/match_game.h"
#include "tests/selfplay/match/engines.h"

namespace chuhe {
namespace {

using testing::FakeEngine;
using ::testing::HasSubstr;
using testing::MakeExternal;
using testing::ScriptedPlayer;

struct Failure {
  EngineProtocol protocol;
  std::string action;
  std::string reason;
  std::string detail;
};

class ExternalPlayerTest : public ::testing::Test {
 protected:
  GameResult Play(Player* red, Player* black) {
    TimeControl control;
    const absl::StatusOr<GameResult> result =
        MatchGame(Game(Position::Start()), {red, control_}, {black, control_}, options_).Play();
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : GameResult{};
  }

  StopSignal stop_;
  TimeControl control_{.depth = 1};
  MatchGameOptions options_;
  ScriptedPlayer other_;
};

class FailureTest : public ExternalPlayerTest, public ::testing::WithParamInterface<Failure> {};

TEST_P(FailureTest, LosesWithAReasonAndPlaysOnInTheNextGame) {
  const Failure& failure = GetParam();
  options_.law.patience_ms = 3000;
  EngineSpec spec = FakeEngine(failure.protocol, failure.action + "@2");
  spec.quit_ms = 200;
  const std::unique_ptr<Player> player = MakeExternal(spec, &stop_);
  for (int game = 0; game < 2; ++game) {
    const GameResult result = Play(&other_, player.get());
    EXPECT_EQ(result.outcome, GameOutcome::kRedWins) << result.detail;
    EXPECT_EQ(result.reason, failure.reason) << result.detail;
    EXPECT_THAT(result.detail, HasSubstr(failure.detail));
    EXPECT_EQ(result.plies.size(), 3);
  }
  player->Quit();
}

constexpr EngineProtocol kUci = EngineProtocol::kUci;
constexpr EngineProtocol kUcci = EngineProtocol::kUcci;
constexpr EngineProtocol kCecp = EngineProtocol::kCecp;

INSTANTIATE_TEST_SUITE_P(
    All, FailureTest,
    ::testing::Values(Failure{kUci, "die", "died", "Black exited with status 3"},
                      Failure{kUcci, "crash", "died", "was killed by signal 11"},
                      Failure{kCecp, "die", "died", "exited with status 3"},
                      Failure{kUci, "unreadable", "unreadable-move", "moves 'xyzzy'"},
                      Failure{kCecp, "unreadable", "unreadable-move", "moves 'xyzzy'"},
                      Failure{kUci, "nomove", "no-move", "no move"},
                      Failure{kUcci, "nomove", "no-move", "no move"},
                      Failure{kUcci, "resign", "resignation", "Black resigns"},
                      Failure{kCecp, "resign", "resignation", "Black resigns"},
                      Failure{kCecp, "claim", "false-claim", "1/2-1/2 {Draw by some rule}"},
                      Failure{kCecp, "refuse", "refused-move", "Illegal move: h9g7"}),
    [](const auto& test) {
      return std::string(ProtocolName(test.param.protocol)) + "_" + test.param.action;
    });

TEST_F(ExternalPlayerTest, IllegalMoveLoses) {
  for (const EngineProtocol protocol : {kUci, kUcci, kCecp}) {
    const auto player = MakeExternal(FakeEngine(protocol, "illegal@2"), &stop_);
    const GameResult result = Play(&other_, player.get());
    EXPECT_EQ(result.reason, "illegal-move");
    EXPECT_EQ(result.plies.size(), 3);
  }
}

TEST_F(ExternalPlayerTest, ForgivenIllegalMoveIsTakenBack) {
  options_.law.allowed_violations = 1;
  for (const EngineProtocol protocol : {kUci, kUcci, kCecp}) {
    const auto player = MakeExternal(FakeEngine(protocol, "illegal@2"), &stop_);
    const GameResult result = Play(&other_, player.get());
    EXPECT_EQ(result.reason, "quiet-repetition") << result.detail;
    EXPECT_EQ(result.violations[1], 1);
  }
}

TEST_F(ExternalPlayerTest, HangingEngineLosesOnTime) {
  control_ = {.periods = {{.time_ms = 100}}};
  const auto player = MakeExternal(FakeEngine(kUci, "hang@2"), &stop_);
  const auto begin = std::chrono::steady_clock::now();
  const GameResult result = Play(player.get(), &other_);
  EXPECT_EQ(result.outcome, GameOutcome::kBlackWins);
  EXPECT_EQ(result.reason, "time");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(ExternalPlayerTest, EngineThatHangsWithoutAClockLosesWhenPatienceEnds) {
  options_.law.patience_ms = 300;
  for (const char* action : {"hang@1", "flood@1"}) {
    const auto player = MakeExternal(FakeEngine(kUcci, action), &stop_);
    EXPECT_EQ(Play(player.get(), &other_).reason, "hung") << action;
  }
}

TEST_F(ExternalPlayerTest, RubbishBeforeTheMoveIsPassedOver) {
  for (const EngineProtocol protocol : {kUci, kUcci, kCecp}) {
    const auto player = MakeExternal(FakeEngine(protocol, "rubbish@1 rubbish@3"), &stop_);
    EXPECT_EQ(Play(player.get(), &other_).reason, "quiet-repetition");
  }
}

TEST_F(ExternalPlayerTest, EngineThatIsNotReadyInTimeLoses) {
  for (const EngineProtocol protocol : {kUci, kUcci, kCecp}) {
    EngineSpec spec = FakeEngine(protocol, "nostart");
    spec.startup_ms = 300;
    const auto player = MakeExternal(spec, &stop_);
    const GameResult result = Play(player.get(), &other_);
    EXPECT_EQ(result.outcome, GameOutcome::kBlackWins);
    EXPECT_EQ(result.reason, "late");
    EXPECT_THAT(result.detail, HasSubstr("not ready in time; it has said nothing"));
  }
}

TEST_F(ExternalPlayerTest, ProgramThatDoesNotExistLoses) {
  EngineSpec spec;
  spec.command = "/no/such/engine --with 'an argument'";
  const auto player = MakeExternal(spec, &stop_);
  const GameResult result = Play(player.get(), &other_);
  EXPECT_EQ(result.reason, "late");
  EXPECT_THAT(result.detail, HasSubstr("cannot start /no/such/engine"));
}

TEST_F(ExternalPlayerTest, EngineThatIgnoresQuitIsKilled) {
  EngineSpec spec = FakeEngine(kUci, "noquit");
  spec.quit_ms = 100;
  const auto player = MakeExternal(spec, &stop_);
  EXPECT_EQ(Play(player.get(), &other_).reason, "quiet-repetition");
  EXPECT_FALSE(player->Quit());
  EXPECT_TRUE(MakeExternal(FakeEngine(kUci, ""), &stop_)->Quit());
}

TEST_F(ExternalPlayerTest, TwoEnginesAgreeOnADraw) {
  for (const EngineProtocol protocol : {kUcci, kCecp}) {
    const auto red = MakeExternal(FakeEngine(protocol, "offer@2"), &stop_);
    const auto black = MakeExternal(FakeEngine(kUcci, "offer@2"), &stop_);
    const GameResult result = Play(red.get(), black.get());
    EXPECT_EQ(result.reason, "agreement") << result.detail;
    EXPECT_EQ(result.plies.size(), 3);
  }
}

TEST_F(ExternalPlayerTest, WhatCecpEnginesSayBehindTheirMoveIsNoAnswer) {
  // The fourth move ends the game, so that the next one begins with what was said behind it.
  for (const std::string flag : {"", " noping"}) {
    for (const std::string word : {"drawn", "lost"}) {
      const std::string actions = "after:" + word + "@2 after:" + word + "@4" + flag;
      const auto player = MakeExternal(FakeEngine(kCecp, actions), &stop_);
      for (int game = 0; game < 2; ++game) {
        const GameResult result = Play(&other_, player.get());
        EXPECT_EQ(result.reason, "quiet-repetition") << actions << ": " << result.detail;
        for (const PlayedPly& ply : result.plies) EXPECT_GE(ply.elapsed_us, 0);
      }
    }
  }
}

TEST_F(ExternalPlayerTest, EngineThatEndsBetweenGamesIsStartedAgain) {
  for (const EngineProtocol protocol : {kUci, kUcci, kCecp}) {
    // The fourth move is the last one.
    const auto player = MakeExternal(FakeEngine(protocol, "leave@4"), &stop_);
    for (int game = 0; game < 3; ++game) {
      EXPECT_EQ(Play(&other_, player.get()).reason, "quiet-repetition") << game;
    }
  }
}

TEST_F(ExternalPlayerTest, OfferBehindAMoveComesWithTheNextOneOfTheGame) {
  for (const std::string flag : {"", " noping"}) {
    // The second offer comes when the game is over: in the next one it would make the first void.
    const auto black =
        MakeExternal(FakeEngine(kCecp, "after:offer@2 after:offer@4" + flag), &stop_);
    for (int game = 0; game < 2; ++game) {
      const GameResult result = Play(&other_, black.get());
      EXPECT_EQ(result.reason, "quiet-repetition") << result.detail;
      EXPECT_EQ(result.violations[1], 0);
      EXPECT_TRUE(other_.was_offered_draw);  // before Red's last move
    }
  }
}

TEST_F(ExternalPlayerTest, OfferBehindAMoveIsNoAnswerToALaterOne) {
  for (const std::string flag : {"", " noping"}) {
    const auto black = MakeExternal(FakeEngine(kCecp, "after:offer@2" + flag), &stop_);
    other_.AddMove("a0a1");
    other_.AddMove("a1a0");
    other_.AddMove("a0a1", /*draw=*/true);
    other_.SkipShuffle();
    const GameResult result = Play(&other_, black.get());
    EXPECT_EQ(result.reason, "quiet-repetition") << result.detail;
    EXPECT_FALSE(other_.was_offered_draw);
  }
}

TEST_F(ExternalPlayerTest, SaysHowAProgramEndedThatDoesNotStart) {
  EngineSpec spec = FakeEngine(kUcci, "");
  spec.command = "false";
  const auto player = MakeExternal(spec, &stop_);
  const GameResult result = Play(&other_, player.get());
  EXPECT_EQ(result.outcome, GameOutcome::kRedWins);
  EXPECT_THAT(result.detail, HasSubstr("exited with status 1"));
}

TEST_F(ExternalPlayerTest, ScoresAndTimesAreRecorded) {
  const auto player = MakeExternal(FakeEngine(kUcci, "slow:50@1"), &stop_);
  const GameResult result = Play(player.get(), &other_);
  ASSERT_EQ(result.plies.size(), 8);
  EXPECT_EQ(result.plies[0].score_cp, 7);
  EXPECT_EQ(result.plies[0].depth, 3);
  EXPECT_EQ(result.plies[0].nodes, 42);
  EXPECT_GE(result.plies[0].elapsed_us, 50'000);
  EXPECT_EQ(result.reported_us[0], 4 * 1000);
}

TEST_F(ExternalPlayerTest, StoppingTheMatchEndsTheWait) {
  const auto player = MakeExternal(FakeEngine(kUci, "hang@1"), &stop_);
  std::jthread stopper([&] { stop_.Stop(); });
  EXPECT_EQ(Play(player.get(), &other_).outcome, GameOutcome::kUnfinished);
}

TEST_F(ExternalPlayerTest, WhatCecpCannotExpressIsAFaultOfTheMatch) {
  const auto player = MakeExternal(FakeEngine(kCecp, ""), &stop_);
  for (const TimeControl& control : {TimeControl{.nodes = 100}, TimeControl{.movetime_ms = 100}}) {
    MatchGame game(Game(Position::Start()), {player.get(), control}, {&other_, control}, options_);
    EXPECT_EQ(game.Play().status().code(), absl::StatusCode::kFailedPrecondition);
  }
}

}  // namespace
}  // namespace chuhe
