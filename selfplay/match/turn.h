// What a player answered at its turn, as it is kept for games that are adjourned: whoever applies
// the turns of a game one after the other is where the game was, clocks and offers included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "selfplay/match/player.h"

namespace chuhe {

struct Turn {
  MoveAnswer answer;                 // of the kind kMove, without `detail`
  std::optional<int64_t> runner_us;  // computing time of the runner, if the player is external
};

// Which turn of which game it is; both from 0.
struct NumberedTurn {
  int game = 0;
  int number = 0;
  Turn turn;
};

// `[game, number, "h2e2", microseconds, centipawns, mate in, depth, nodes, draw (0 or 1), reported
// milliseconds, runner's microseconds]`, null for what is not known.
std::string ToJsonLine(const NumberedTurn& turn);
absl::StatusOr<NumberedTurn> TurnFromJsonLine(const std::string& line);

}  // namespace chuhe
