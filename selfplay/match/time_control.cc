#include "selfplay/match/time_control.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

constexpr double kLongestSeconds = 1e7;
constexpr int kMostMoves = 1000;

absl::StatusOr<int64_t> ReadSeconds(absl::string_view text) {
  double seconds = 0;
  if (!absl::SimpleAtod(text, &seconds) || !(seconds >= 0 && seconds <= kLongestSeconds)) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", text, "' is no number of seconds from 0 to ", kLongestSeconds));
  }
  return std::llround(seconds * 1000);
}

absl::StatusOr<TimePeriod> ParsePeriod(absl::string_view text) {
  TimePeriod period;
  if (const size_t slash = text.find('/'); slash != absl::string_view::npos) {
    const absl::string_view moves = text.substr(0, slash);
    if (!absl::SimpleAtoi(moves, &period.moves) || period.moves < 1 || period.moves > kMostMoves) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", moves, "' is no number of moves from 1 to ", kMostMoves));
    }
    text.remove_prefix(slash + 1);
  }
  if (const size_t plus = text.find('+'); plus != absl::string_view::npos) {
    CHUHE_ASSIGN_OR_RETURN(period.increment_ms, ReadSeconds(text.substr(plus + 1)));
    text = text.substr(0, plus);
  }
  CHUHE_ASSIGN_OR_RETURN(period.time_ms, ReadSeconds(text));
  if (period.time_ms == 0 && period.increment_ms == 0) {
    return absl::InvalidArgumentError("a period without any time");
  }
  return period;
}

int64_t Times(int64_t ms, double factor) { return std::llround(static_cast<double>(ms) * factor); }

}  // namespace

absl::StatusOr<std::vector<TimePeriod>> ParsePeriods(absl::string_view text) {
  std::vector<TimePeriod> periods;
  for (const absl::string_view part : absl::StrSplit(text, ':')) {
    absl::StatusOr<TimePeriod> period = ParsePeriod(part);
    if (period.ok() && !periods.empty() && periods.back().moves == 0) {
      period = absl::InvalidArgumentError("only the last period may be without a number of moves");
    }
    if (!period.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("time control '", text, "': ", period.status().message(),
                       "; expected [MOVES/]SECONDS[+SECONDS], periods separated by ':'"));
    }
    periods.push_back(*period);
  }
  return periods;
}

std::string FormatPeriods(const std::vector<TimePeriod>& periods) {
  return absl::StrJoin(periods, ":", [](std::string* out, const TimePeriod& period) {
    if (period.moves > 0) absl::StrAppend(out, period.moves, "/");
    absl::StrAppend(out, static_cast<double>(period.time_ms) / 1000);
    if (period.increment_ms > 0) {
      absl::StrAppend(out, "+", static_cast<double>(period.increment_ms) / 1000);
    }
  });
}

TimeControl Scaled(TimeControl control, double factor) {
  for (TimePeriod& period : control.periods) {
    period.time_ms = Times(period.time_ms, factor);
    period.increment_ms = Times(period.increment_ms, factor);
  }
  if (control.movetime_ms > 0) {
    control.movetime_ms = std::max<int64_t>(1, Times(control.movetime_ms, factor));
  }
  return control;
}

GameClock::GameClock(const TimeControl& control) : periods_(control.periods) {
  if (periods_.empty()) return;
  remaining_us_ = periods_[0].time_ms * 1000;
  moves_left_ = periods_[0].moves;
}

Clock GameClock::Told() const {
  return {.time_ms = std::max<int64_t>(0, remaining_us_ / 1000),
          .increment_ms = periods_[period_].increment_ms,
          .moves_to_go = moves_left_};
}

bool GameClock::Spend(int64_t elapsed_us, int64_t margin_us) {
  remaining_us_ -= elapsed_us;
  if (remaining_us_ < -margin_us) return false;
  remaining_us_ = std::max<int64_t>(remaining_us_, 0);
  return true;
}

void GameClock::CountMove() {
  remaining_us_ += periods_[period_].increment_ms * 1000;
  if (moves_left_ > 0 && --moves_left_ == 0) {
    period_ = std::min(period_ + 1, periods_.size() - 1);
    remaining_us_ += periods_[period_].time_ms * 1000;
    moves_left_ = periods_[period_].moves;
  }
}

}  // namespace chuhe
