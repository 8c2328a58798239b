// How long players may think: clocks with periods and increments, and fixed limits of a move.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/search/searcher.h"

namespace chuhe {

struct TimePeriod {
  int moves = 0;  // 0: the rest of the game
  int64_t time_ms = 0;
  int64_t increment_ms = 0;  // added after each move
};

// Several limits may hold together; none at all leaves it to the player.
struct TimeControl {
  // The last one repeats if it has a number of moves. Empty: no clock.
  std::vector<TimePeriod> periods;
  int64_t movetime_ms = 0;
  int64_t nodes = 0;
  int depth = 0;

  bool has_clock() const { return !periods.empty(); }
};

// `40/5400:20/1800`, `60+0.6`, `10/60+1`: periods `[MOVES/]SECONDS[+SECONDS]`. Only the last one
// may be without a number of moves.
absl::StatusOr<std::vector<TimePeriod>> ParsePeriods(absl::string_view text);
std::string FormatPeriods(const std::vector<TimePeriod>& periods);

// The same control with all times multiplied, for machines of another speed.
TimeControl Scaled(TimeControl control, double factor);

// One player's clock, in microseconds. Owned by one thread.
class GameClock {
 public:
  explicit GameClock(const TimeControl& control);

  int64_t remaining_us() const { return remaining_us_; }
  // What a player is told.
  Clock Told() const;
  // The player thought so long. Overstepping by no more than the margin is forgiven, but leaves
  // nothing. False: the flag has fallen.
  bool Spend(int64_t elapsed_us, int64_t margin_us);
  // A move was made, not one that is taken back: it earns the increment and counts for the period.
  void CountMove();

 private:
  std::vector<TimePeriod> periods_;
  size_t period_ = 0;
  int moves_left_ = 0;  // of the period; 0: no number
  int64_t remaining_us_ = 0;
};

}  // namespace chuhe
