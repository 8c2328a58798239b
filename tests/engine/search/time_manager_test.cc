#include "engine/search/time_manager.h"

#include <algorithm>
#include <optional>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

SearchLimits ClockLimits(int64_t time_ms, int64_t increment_ms, int moves_to_go,
                         int64_t overhead_ms = 30) {
  SearchLimits limits;
  limits.clock = Clock{time_ms, increment_ms, moves_to_go};
  limits.move_overhead_ms = overhead_ms;
  return limits;
}

TEST(TimeBudgetTest, IsUnlimitedWithoutTimeLimits) {
  SearchLimits limits;
  limits.depth = 5;
  EXPECT_EQ(BudgetFor(limits).optimum_ms, TimeBudget::kUnlimited);
  EXPECT_EQ(BudgetFor(limits).maximum_ms, TimeBudget::kUnlimited);
}

TEST(TimeBudgetTest, IsUnlimitedForAnInfiniteSearchWhateverTheClockSays) {
  SearchLimits limits = ClockLimits(1000, 0, 0);
  limits.movetime_ms = 100;
  limits.infinite = true;
  EXPECT_EQ(BudgetFor(limits).maximum_ms, TimeBudget::kUnlimited);
}

TEST(TimeBudgetTest, MovesAtOnceWhenTheClockIsAtItsEnd) {
  for (const int64_t time_ms : {-5000, -1, 0, 1, 29, 30}) {
    for (const int moves_to_go : {0, 1, 40}) {
      const TimeBudget budget = BudgetFor(ClockLimits(time_ms, 0, moves_to_go));
      EXPECT_EQ(budget.optimum_ms, 0) << time_ms;
      EXPECT_EQ(budget.maximum_ms, 0) << time_ms;
    }
  }
}

struct BudgetCase {
  Clock clock;
  int64_t optimum_from, optimum_to, maximum_from, maximum_to;
};

TEST(TimeBudgetTest, FitsTheClock) {
  const BudgetCase cases[] = {
      // Sudden death: a fortieth.
      {{60'000, 0, 0}, 1400, 1500, 5000, 10'000},
      // Time with increment: the increment and a bit.
      {{60'000, 600, 0}, 1900, 2100, 8000, 12'000},
      {{2'000, 1'000, 0}, 900, 1200, 1400, 1500},
      // 40 moves in 90 minutes.
      {{5'400'000, 0, 40}, 130'000, 135'000, 600'000, 700'000},
      {{10'000, 0, 2}, 4900, 5000, 7000, 7500},
      // The last move before the next period may use nearly all.
      {{10'000, 0, 1}, 7500, 8000, 9000, 9970},
      // Very little, where the overheads alone would be more than the clock has.
      {{400, 0, 0}, 1, 5, 5, 25},
  };
  for (const BudgetCase& c : cases) {
    const TimeBudget budget =
        BudgetFor(ClockLimits(c.clock.time_ms, c.clock.increment_ms, c.clock.moves_to_go));
    const auto text = testing::Message() << c.clock.time_ms << "+" << c.clock.increment_ms << "/"
                                         << c.clock.moves_to_go;
    EXPECT_GE(budget.optimum_ms, c.optimum_from) << text;
    EXPECT_LE(budget.optimum_ms, c.optimum_to) << text;
    EXPECT_GE(budget.maximum_ms, c.maximum_from) << text;
    EXPECT_LE(budget.maximum_ms, c.maximum_to) << text;
    EXPECT_FALSE(budget.is_fixed);
  }
}

TEST(TimeBudgetTest, KeepsTheOverheadOfAMoveTimeInReserve) {
  SearchLimits limits;
  limits.movetime_ms = 1000;
  limits.move_overhead_ms = 50;
  EXPECT_EQ(BudgetFor(limits).optimum_ms, 950);
  EXPECT_EQ(BudgetFor(limits).maximum_ms, 950);
  EXPECT_TRUE(BudgetFor(limits).is_fixed);
  limits.movetime_ms = 20;
  EXPECT_EQ(BudgetFor(limits).maximum_ms, 10);
}

TEST(TimeBudgetTest, TakesTheTighterOfClockAndMoveTime) {
  SearchLimits limits = ClockLimits(60'000, 0, 0);
  limits.movetime_ms = 200;
  EXPECT_EQ(BudgetFor(limits).maximum_ms, 170);
  limits.movetime_ms = 50'000;
  EXPECT_LT(BudgetFor(limits).maximum_ms, 20'000);
}

// The worst a searcher may do: it uses the maximum on every move, and the overhead is lost besides.
TEST(TimeBudgetTest, NeverOverstepsEvenIfEveryMoveTakesTheMaximum) {
  for (const int64_t time_ms : {1, 50, 100, 1000, 60'000, 5'400'000}) {
    for (const int64_t increment_ms : {0, 20, 100, 30'000}) {
      for (const int period : {0, 1, 2, 40}) {
        int64_t left = time_ms;
        for (int move = 0; move < 300; ++move) {
          const int moves_to_go = period == 0 ? 0 : period - move % period;
          const TimeBudget budget = BudgetFor(ClockLimits(left, increment_ms, moves_to_go));
          ASSERT_LE(budget.optimum_ms, budget.maximum_ms);
          if (left > 30) {
            left -= budget.maximum_ms + 30;
            ASSERT_GE(left, 0) << time_ms << "+" << increment_ms << "/" << period << ", " << move;
          } else {
            ASSERT_EQ(budget.maximum_ms, 0);
          }
          left += increment_ms + (moves_to_go == 1 ? time_ms : 0);
        }
      }
    }
  }
}

TEST(TimeBudgetTest, SpreadsTheClockOverThePeriod) {
  int64_t left = 600'000;
  int64_t first = 0;
  for (int moves_to_go = 40; moves_to_go > 0; --moves_to_go) {
    const TimeBudget budget = BudgetFor(ClockLimits(left, 0, moves_to_go));
    if (first == 0) first = budget.optimum_ms;
    EXPECT_GE(budget.optimum_ms, first * 3 / 4) << moves_to_go;
    EXPECT_LE(budget.optimum_ms, first * 5 / 4) << moves_to_go;
    left -= budget.optimum_ms + 30;
  }
  EXPECT_GE(left, 0);
  EXPECT_LT(left, 60'000);
}

TEST(TimeBudgetTest, SurvivesAbsurdNumbers) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  for (const int64_t time_ms : {most, -most}) {
    for (const int64_t increment_ms : {most, -most}) {
      for (const int64_t overhead_ms : {most, -most, int64_t{0}}) {
        const TimeBudget budget =
            BudgetFor(ClockLimits(time_ms, increment_ms, 2'000'000'000, overhead_ms));
        EXPECT_GE(budget.optimum_ms, 0);
        EXPECT_GE(budget.maximum_ms, budget.optimum_ms);
      }
    }
  }
}

class SearchClockTest : public testing::Test {
 protected:
  SearchClock MakeClock(const SearchLimits& limits) {
    return SearchClock(limits, signal_, [this] { return now_ms_; });
  }

  SearchSignal signal_;
  int64_t now_ms_ = 5000;
};

TEST_F(SearchClockTest, StopsAtTheMaximumAndNotBefore) {
  SearchClock clock = MakeClock(ClockLimits(60'000, 0, 0));
  const TimeBudget budget = clock.budget();
  EXPECT_FALSE(clock.MustStop());
  EXPECT_FALSE(clock.IsSpent());
  now_ms_ = 5000 + budget.optimum_ms / 2 + 1;
  EXPECT_TRUE(clock.IsSpent(0.5));
  EXPECT_FALSE(clock.IsSpent(0.6));
  now_ms_ = 5000 + budget.optimum_ms;
  EXPECT_TRUE(clock.IsSpent());
  EXPECT_FALSE(clock.MustStop());
  now_ms_ = 5000 + budget.maximum_ms - 1;
  EXPECT_FALSE(clock.MustStop());
  now_ms_ = 5000 + budget.maximum_ms;
  EXPECT_TRUE(clock.MustStop());
  EXPECT_EQ(clock.elapsed_ms(), budget.maximum_ms);
}

TEST_F(SearchClockTest, UsesAFixedTimeToItsEnd) {
  SearchLimits limits;
  limits.movetime_ms = 1030;
  SearchClock clock = MakeClock(limits);
  now_ms_ += 999;
  EXPECT_FALSE(clock.IsSpent(0.4));
  now_ms_ += 1;
  EXPECT_TRUE(clock.IsSpent(0.4));
  EXPECT_TRUE(clock.MustStop());
}

TEST_F(SearchClockTest, StopsAtTheSignalInEveryMode) {
  SearchLimits limits;
  limits.infinite = true;
  SearchClock infinite = MakeClock(limits);
  limits.infinite = false;
  limits.ponder = true;
  SearchClock pondering = MakeClock(limits);
  EXPECT_FALSE(infinite.MustStop());
  EXPECT_FALSE(pondering.MustStop());
  signal_.Stop();
  EXPECT_TRUE(infinite.MustStop());
  EXPECT_TRUE(pondering.MustStop());
}

TEST_F(SearchClockTest, RunsFromThePonderHitOn) {
  SearchLimits limits = ClockLimits(60'000, 0, 0);
  limits.ponder = true;
  SearchClock clock = MakeClock(limits);
  now_ms_ += 1'000'000;
  EXPECT_FALSE(clock.MustStop());
  EXPECT_FALSE(clock.IsSpent());
  EXPECT_FALSE(clock.IsRunning());
  signal_.PonderHit();
  EXPECT_FALSE(clock.MustStop());
  EXPECT_TRUE(clock.IsRunning());
  now_ms_ += clock.budget().maximum_ms - 1;
  EXPECT_FALSE(clock.MustStop());
  now_ms_ += 1;
  EXPECT_TRUE(clock.MustStop());
}

TEST_F(SearchClockTest, EndsAtOnceWhenTheHitComesWithAnEmptyClock) {
  SearchLimits limits = ClockLimits(0, 0, 0);
  limits.ponder = true;
  SearchClock clock = MakeClock(limits);
  EXPECT_FALSE(clock.MustStop());
  signal_.PonderHit();
  EXPECT_TRUE(clock.MustStop());
}

}  // namespace
}  // namespace chuhe
