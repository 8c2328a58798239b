#include "engine/protocol/go_limits.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace chuhe {
namespace {

int64_t ToMilliseconds(double value, double unit_ms) {
  constexpr double kLargest = 1e12;  // thirty years
  return static_cast<int64_t>(std::clamp(std::round(value * unit_ms), -kLargest, kLargest));
}

int ToCount(const std::optional<int64_t>& value) {
  return static_cast<int>(std::clamp<int64_t>(value.value_or(0), 0, 1'000'000));
}

std::optional<Clock> MakeClock(const std::optional<double>& time,
                               const std::optional<double>& increment, int moves_to_go,
                               double unit_ms) {
  if (!time) {
    return std::nullopt;
  }
  return Clock{.time_ms = ToMilliseconds(*time, unit_ms),
               .increment_ms = std::max<int64_t>(0, ToMilliseconds(increment.value_or(0), unit_ms)),
               .moves_to_go = moves_to_go};
}

// `time`, `opptime` and their companions.
void SetClocksBySide(const GoCommand& go, double unit_ms, SearchLimits* limits) {
  limits->clock = MakeClock(go.time, go.increment, ToCount(go.movestogo), unit_ms);
  limits->opponent_clock =
      MakeClock(go.opptime, go.oppincrement, ToCount(go.oppmovestogo), unit_ms);
}

// `wtime`, `btime` and their companions, always in milliseconds.
void SetClocksByColor(const GoCommand& go, const GoContext& context, SearchLimits* limits) {
  const int moves_to_go = ToCount(go.movestogo);
  std::optional<Clock> red = MakeClock(go.wtime, go.winc, moves_to_go, 1);
  std::optional<Clock> black = MakeClock(go.btime, go.binc, moves_to_go, 1);
  // A single clock is better than none, whosever it is.
  if (!red) red = black;
  if (!black) black = red;
  const bool may_be_slots =
      context.dialect == Dialect::kUcci || (context.bare_position && go.wtime_before_btime);
  if (may_be_slots) {
    red->time_ms = black->time_ms = std::min(red->time_ms, black->time_ms);
    red->increment_ms = black->increment_ms = std::min(red->increment_ms, black->increment_ms);
  }
  const bool red_moves = context.side_to_move == Color::kRed;
  limits->clock = red_moves ? red : black;
  limits->opponent_clock = red_moves ? black : red;
}

}  // namespace

SearchLimits LimitsOf(const GoCommand& go, const GoContext& context) {
  SearchLimits limits;
  limits.infinite = go.infinite;
  limits.ponder = go.ponder;
  limits.draw_offered = go.draw_offered;
  // Zero and less ask for the least there is.
  if (go.depth) {
    limits.depth = std::max(1, ToCount(go.depth));
  }
  if (go.mate) {
    limits.depth = std::max(1, 2 * ToCount(go.mate) - 1);
  }
  if (go.nodes) {
    limits.nodes = std::max<int64_t>(1, *go.nodes);
  }
  if (go.movetime) {
    limits.movetime_ms = std::max<int64_t>(1, ToMilliseconds(*go.movetime, 1));
  }
  if (go.time) {
    const bool seconds = context.dialect == Dialect::kUcci && !context.milliseconds;
    SetClocksBySide(go, seconds ? 1000 : 1, &limits);
  } else if (go.wtime || go.btime) {
    SetClocksByColor(go, context, &limits);
  }
  return limits;
}

}  // namespace chuhe
