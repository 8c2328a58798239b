#include "engine/protocol/go_limits.h"

#include <string>
#include <variant>

#include "engine/protocol/command_text.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

SearchLimits Limits(const std::string& line, const GoContext& context) {
  return LimitsOf(std::get<GoCommand>(ReadCommand(line)), context);
}

constexpr GoContext kUciRed = {.dialect = Dialect::kUci};
constexpr GoContext kUciBlack = {.dialect = Dialect::kUci, .side_to_move = Color::kBlack};
constexpr GoContext kUcciSeconds = {.dialect = Dialect::kUcci};
constexpr GoContext kUcciMs = {.dialect = Dialect::kUcci, .milliseconds = true};

TEST(GoLimitsTest, UcciTimeIsInSecondsUntilMillisecondsAreSet) {
  EXPECT_EQ(Limits("go time 30", kUcciSeconds).clock->time_ms, 30000);
  EXPECT_EQ(Limits("go time 30", kUcciMs).clock->time_ms, 30);
  const SearchLimits limits =
      Limits("go time 3 increment 2 opptime 5 oppincrement 1.5", kUcciSeconds);
  EXPECT_EQ(limits.clock->increment_ms, 2000);
  EXPECT_EQ(limits.opponent_clock->time_ms, 5000);
  EXPECT_EQ(limits.opponent_clock->increment_ms, 1500);
}

TEST(GoLimitsTest, UcciPeriodsCountMoves) {
  const SearchLimits limits =
      Limits("go time 300 movestogo 10 opptime 400 oppmovestogo 11", kUcciMs);
  EXPECT_EQ(limits.clock->moves_to_go, 10);
  EXPECT_EQ(limits.opponent_clock->moves_to_go, 11);
  EXPECT_EQ(Limits("go time 300 movestogo -4", kUcciMs).clock->moves_to_go, 0);
}

TEST(GoLimitsTest, WordsOfUciCountMillisecondsUnderUcciToo) {
  EXPECT_EQ(Limits("go movetime 500", kUcciSeconds).movetime_ms, 500);
  EXPECT_EQ(Limits("go wtime 700 btime 800", kUcciSeconds).clock->time_ms, 700);
}

TEST(GoLimitsTest, UciClocksGoByColorInEitherOrder) {
  for (const char* line :
       {"go wtime 1000 btime 900 winc 5 binc 6", "go btime 900 wtime 1000 binc 6 winc 5"}) {
    const SearchLimits red = Limits(line, kUciRed);
    EXPECT_EQ(red.clock->time_ms, 1000);
    EXPECT_EQ(red.clock->increment_ms, 5);
    EXPECT_EQ(red.opponent_clock->time_ms, 900);
    const SearchLimits black = Limits(line, kUciBlack);
    EXPECT_EQ(black.clock->time_ms, 900);
    EXPECT_EQ(black.clock->increment_ms, 6);
    EXPECT_EQ(black.opponent_clock->time_ms, 1000);
  }
}

TEST(GoLimitsTest, ClocksThatMayBeSlotsCountAsTheSmaller) {
  GoContext context = kUciBlack;
  context.bare_position = true;
  EXPECT_EQ(Limits("go wtime 1000 btime 900 winc 1 binc 2", context).clock->time_ms, 900);
  EXPECT_EQ(Limits("go wtime 900 btime 1000 winc 1 binc 2", context).clock->time_ms, 900);
  EXPECT_EQ(Limits("go wtime 900 btime 1000 winc 1 binc 2", context).clock->increment_ms, 1);
  // With btime first it is the Cyclone dialect, which means colours.
  EXPECT_EQ(Limits("go btime 1000 wtime 900", context).clock->time_ms, 1000);
  EXPECT_EQ(Limits("go wtime 1000 btime 900", kUcciMs).clock->time_ms, 900);
}

TEST(GoLimitsTest, OneClockIsBetterThanNone) {
  EXPECT_EQ(Limits("go wtime 1000", kUciBlack).clock->time_ms, 1000);
  EXPECT_EQ(Limits("go btime 900", kUcciMs).clock->time_ms, 900);
  EXPECT_FALSE(Limits("go opptime 900", kUcciMs).clock.has_value());
}

TEST(GoLimitsTest, ZeroNegativeAndHugeClocksStayClocks) {
  EXPECT_EQ(Limits("go wtime 0 btime 1", kUciRed).clock->time_ms, 0);
  EXPECT_EQ(Limits("go wtime 0 btime 1", kUciBlack).clock->time_ms, 1);
  EXPECT_EQ(Limits("go wtime -500 btime 5", kUciRed).clock->time_ms, -500);
  EXPECT_EQ(Limits("go time -3", kUcciSeconds).clock->time_ms, -3000);
  EXPECT_EQ(Limits("go time 5 increment -3", kUcciMs).clock->increment_ms, 0);
  EXPECT_GT(Limits("go wtime 99999999999999999999999", kUciRed).clock->time_ms, 1000000000);
}

TEST(GoLimitsTest, OtherLimitsAreAtLeastTheLeastThereIs) {
  EXPECT_EQ(Limits("go movetime 0", kUciRed).movetime_ms, 1);
  EXPECT_EQ(Limits("go movetime -10", kUciRed).movetime_ms, 1);
  EXPECT_EQ(Limits("go nodes 0", kUciRed).nodes, 1);
  EXPECT_EQ(Limits("go depth 0", kUciRed).depth, 1);
  EXPECT_EQ(Limits("go depth -2", kUciRed).depth, 1);
  EXPECT_EQ(Limits("go depth 99999999999", kUciRed).depth, 1000000);
  EXPECT_EQ(Limits("go mate 3", kUciRed).depth, 5);
}

TEST(GoLimitsTest, SeveralLimitsHoldTogether) {
  const SearchLimits limits = Limits("go ponder movetime 500 depth 20 nodes 1000", kUciRed);
  EXPECT_TRUE(limits.ponder);
  EXPECT_EQ(limits.movetime_ms, 500);
  EXPECT_EQ(limits.depth, 20);
  EXPECT_EQ(limits.nodes, 1000);
  EXPECT_FALSE(limits.clock.has_value());
}

TEST(GoLimitsTest, NothingMeansNoLimit) {
  const SearchLimits limits = Limits("go", kUciRed);
  EXPECT_FALSE(limits.infinite || limits.ponder || limits.clock.has_value());
  EXPECT_EQ(limits.depth + limits.nodes + limits.movetime_ms, 0);
  EXPECT_TRUE(Limits("go draw depth 3", kUcciMs).draw_offered);
}

}  // namespace
}  // namespace chuhe
