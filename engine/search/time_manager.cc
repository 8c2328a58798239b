#include "engine/search/time_manager.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace chuhe {
namespace {

// A game without periods is planned as if it always lasted this many more moves.
constexpr int64_t kExpectedMoves = 40;
// A hard position may take this many times the aim.
constexpr int64_t kMaximumFactor = 5;
// Far beyond any real clock, and products with numbers of moves do not overflow.
constexpr int64_t kLongestMs = int64_t{1} << 40;
constexpr int64_t kMostMoves = 1000;

int64_t Percent(int64_t ms, int percent) { return ms * percent / 100; }

TimeBudget BudgetForClock(const Clock& clock, int64_t overhead_ms) {
  const int64_t usable = std::clamp(clock.time_ms, -kLongestMs, kLongestMs) - overhead_ms;
  if (usable <= 0) return {0, 0};
  const int64_t increment = std::clamp<int64_t>(clock.increment_ms, 0, kLongestMs);
  const int64_t moves =
      clock.moves_to_go > 0 ? std::min<int64_t>(clock.moves_to_go, kMostMoves) : kExpectedMoves;
  // The last move of a period may use what is there: a new period begins.
  if (moves == 1) return {Percent(usable, 80), Percent(usable, 95)};
  // Every later move brings the increment and costs the overhead once more. Where the overheads
  // alone would eat up the clock, they are probably overestimated.
  const int64_t total =
      std::max(usable + (increment - overhead_ms) * (moves - 1), Percent(usable, 25));
  TimeBudget budget;
  budget.optimum_ms = std::min(total / moves, Percent(usable, 60));
  budget.maximum_ms = std::min(budget.optimum_ms * kMaximumFactor, Percent(usable, 75));
  return budget;
}

TimeBudget BudgetForMove(int64_t movetime_ms, int64_t overhead_ms) {
  const int64_t usable = std::max(movetime_ms - overhead_ms, movetime_ms / 2);
  return {usable, usable, /*is_fixed=*/true};
}

}  // namespace

TimeBudget BudgetFor(const SearchLimits& limits) {
  if (limits.infinite) return {};
  const int64_t overhead = std::clamp<int64_t>(limits.move_overhead_ms, 0, kLongestMs);
  TimeBudget budget;
  if (limits.movetime_ms > 0) budget = BudgetForMove(limits.movetime_ms, overhead);
  if (limits.clock.has_value()) {
    const TimeBudget by_clock = BudgetForClock(*limits.clock, overhead);
    budget.optimum_ms = std::min(budget.optimum_ms, by_clock.optimum_ms);
    budget.maximum_ms = std::min(budget.maximum_ms, by_clock.maximum_ms);
    budget.is_fixed = false;
  }
  return budget;
}

int64_t SteadyNowMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

SearchClock::SearchClock(const SearchLimits& limits, const SearchSignal& signal, Now now)
    : signal_(signal),
      now_(std::move(now)),
      budget_(BudgetFor(limits)),
      began_ms_(now_()),
      runs_since_ms_(began_ms_),
      is_running_(!limits.ponder) {}

bool SearchClock::IsRunning() {
  if (!is_running_ && signal_.ponder_hit()) {
    is_running_ = true;
    runs_since_ms_ = now_();
  }
  return is_running_;
}

bool SearchClock::MustStop() {
  if (signal_.has_interludes()) signal_.RunInterludes();
  if (signal_.stop_requested()) return true;
  if (budget_.maximum_ms == TimeBudget::kUnlimited || !IsRunning()) return false;
  return now_() - runs_since_ms_ >= budget_.maximum_ms;
}

bool SearchClock::IsSpent(double share) {
  if (budget_.optimum_ms == TimeBudget::kUnlimited || !IsRunning()) return false;
  const double aim = static_cast<double>(budget_.optimum_ms) * (budget_.is_fixed ? 1.0 : share);
  return static_cast<double>(now_() - runs_since_ms_) >= aim;
}

std::optional<int64_t> SearchClock::SavableMs() {
  if (budget_.optimum_ms == TimeBudget::kUnlimited || budget_.is_fixed || !IsRunning()) {
    return std::nullopt;
  }
  return std::max<int64_t>(budget_.optimum_ms - (now_() - runs_since_ms_), 0);
}

}  // namespace chuhe
