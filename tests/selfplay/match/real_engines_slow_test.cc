// Whole games with engines of other people, by every protocol, with clocks and with fixed limits.

#include <algorithm>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/match/builtin_players.h"
#include "selfplay/match/match_game.h"
#include "tests/selfplay/match/engines.h"

namespace chuhe {
namespace {

using testing::InstalledProgram;
using testing::MakeExternal;

struct RealEngine {
  std::string program;
  EngineProtocol protocol;
  std::string control;  // tc, depth or nodes
};

class RealEnginesTest : public ::testing::TestWithParam<RealEngine> {};

TimeControl ControlOf(const std::string& text) {
  TimeControl control;
  if (text.starts_with("depth ")) control.depth = std::stoi(text.substr(6));
  if (text.starts_with("nodes ")) control.nodes = std::stoi(text.substr(6));
  if (text.starts_with("movetime ")) control.movetime_ms = std::stoi(text.substr(9));
  if (text.starts_with("tc ")) control.periods = *ParsePeriods(text.substr(3));
  return control;
}

// Reasons by which an engine would have failed, not the board.
bool IsFailure(const std::string& reason) {
  static const std::set<std::string> kReasons = {
      end_reason::kIllegalMove, end_reason::kUnreadableMove, end_reason::kNoMove,
      end_reason::kFalseClaim,  end_reason::kRefusedMove,    end_reason::kDied,
      end_reason::kHung,        end_reason::kTime,           end_reason::kLate};
  return kReasons.contains(reason);
}

TEST_P(RealEnginesTest, PlaysBothColorsToTheEnd) {
  const RealEngine& engine = GetParam();
  EngineSpec spec;
  spec.name = engine.program;
  spec.command = InstalledProgram(engine.program);
  spec.protocol = engine.protocol;
  // As Fairy-Stockfish counts, though it does not offer it.
  spec.time_unit = TimeUnit::kMilliseconds;
  if (spec.command.empty()) GTEST_SKIP() << engine.program << " is not installed";
  StopSignal stop;
  const auto player = MakeExternal(spec, &stop);
  const auto builtin = MakeBuiltinPlayer({.name = "A", .command = "alphabeta:3"}, {}, &stop);
  ASSERT_TRUE(builtin.ok());
  const MatchSide external = {player.get(), ControlOf(engine.control)};
  const MatchSide own = {builtin->get(), {.depth = 3}};
  for (const bool is_red : {true, false}) {
    Game game(Position::Start());
    for (const Move move : {Move(25, 22), Move(88, 69)}) game.Make(move);  // h2e2 h9g7
    MatchGameOptions options;
    options.law = {.ply_cap = 160, .margin_ms = 500, .patience_ms = 60'000};
    const auto result =
        MatchGame(std::move(game), is_red ? external : own, is_red ? own : external, options)
            .Play();
    ASSERT_TRUE(result.ok()) << result.status();
    std::printf("%s, %s: %zu plies, %s, %.1f us of the runner a ply\n", engine.program.c_str(),
                engine.control.c_str(), result->plies.size(), result->detail.c_str(),
                static_cast<double>(result->runner_us) /
                    static_cast<double>(std::max<int64_t>(1, result->runner_plies)));
    EXPECT_FALSE(IsFailure(result->reason)) << result->detail;
    EXPECT_NE(result->outcome, GameOutcome::kUnfinished);
    EXPECT_GT(result->plies.size(), 10);
    // Both said what they think of most moves.
    const auto scored =
        std::count_if(result->plies.begin(), result->plies.end(),
                      [](const PlayedPly& ply) { return ply.score_cp.has_value(); });
    EXPECT_GT(scored * 4, static_cast<int64_t>(result->plies.size()) * 3);
  }
  EXPECT_TRUE(player->Quit());
}

INSTANTIATE_TEST_SUITE_P(
    All, RealEnginesTest,
    ::testing::Values(RealEngine{"fairy-stockfish", EngineProtocol::kUci, "nodes 500"},
                      RealEngine{"fairy-stockfish", EngineProtocol::kUci, "tc 3+0.05"},
                      RealEngine{"fairy-stockfish", EngineProtocol::kUcci, "tc 20/3:10/1"},
                      RealEngine{"fairy-stockfish", EngineProtocol::kUcci, "depth 4"},
                      RealEngine{"fairy-stockfish", EngineProtocol::kCecp, "depth 3"},
                      RealEngine{"hoixiangqi", EngineProtocol::kCecp, "depth 3"},
                      RealEngine{"hoixiangqi", EngineProtocol::kCecp, "tc 40/10"},
                      RealEngine{"maxqi", EngineProtocol::kCecp, "depth 3"},
                      RealEngine{"maxqi", EngineProtocol::kCecp, "tc 40/10"}),
    [](const auto& test) {
      std::string name = test.param.program + "_" + std::string(ProtocolName(test.param.protocol)) +
                         "_" + test.param.control;
      for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace chuhe
