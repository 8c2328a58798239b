// How long to think about a move: from a protocol's limits to milliseconds, and the clock that says
// when a search has to end. All searchers use it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "engine/search/search_signal.h"
#include "engine/search/searcher.h"

namespace chuhe {

// Milliseconds for one move, from the moment on at which its clock runs.
struct TimeBudget {
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

  int64_t optimum_ms = kUnlimited;  // to aim at
  int64_t maximum_ms = kUnlimited;  // never to exceed
  // The time was given for this move alone: what is left of it is lost.
  bool is_fixed = false;
};

// What the limits allow. The move overhead stays in reserve. A clock that shows no more than the
// overhead, zero or less gives a budget of zero: move at once. Pondering has the budget of the
// move that follows the hit; an infinite search and one without time limits have none.
TimeBudget BudgetFor(const SearchLimits& limits);

// Milliseconds of a clock that never goes back.
int64_t SteadyNowMs();

// The clock of one search. Owned by the searching thread.
class SearchClock {
 public:
  using Now = std::function<int64_t()>;

  // The search begins now. The signal and what `now` refers to must outlive the clock.
  SearchClock(const SearchLimits& limits, const SearchSignal& signal, Now now = SteadyNowMs);

  // Since the search began, pondering included.
  int64_t elapsed_ms() const { return now_() - began_ms_; }
  const TimeBudget& budget() const { return budget_; }

  // False while pondering, until the hit.
  bool IsRunning();
  // Whether the search has to end now: stop was asked for, or the maximum is reached.
  bool MustStop();
  // Whether this share of the time aimed at is used up, so that it is not worth while to begin
  // something long. Of a time that is fixed nothing can be saved: there the share does not count.
  bool IsSpent(double share = 1.0);
  // How long the search may still go on by the time aimed at; nothing where there is no such time,
  // or where it is fixed, as then nothing is saved by ending early.
  std::optional<int64_t> SavableMs();

 private:
  const SearchSignal& signal_;
  const Now now_;
  const TimeBudget budget_;
  const int64_t began_ms_;
  int64_t runs_since_ms_;
  bool is_running_;
};

}  // namespace chuhe
