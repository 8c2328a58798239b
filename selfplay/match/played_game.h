// A game of a match with its place in the schedule, and its form in the journal.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "selfplay/match/game_result.h"
#include "selfplay/match/openings.h"

namespace chuhe {

struct ScheduledGame {
  int index = 0;  // from 0, in the order of the schedule
  int round = 0;
  int pair = 0;     // two games with one opening and colours swapped share it
  int opening = 0;  // number of the opening
  int red = 0;      // engines
  int black = 0;

  friend bool operator==(const ScheduledGame&, const ScheduledGame&) = default;
};

struct PlayedGame {
  ScheduledGame game;
  Opening opening;
  GameResult result;
};

// One line of JSON, with all that reports need.
std::string ToJsonLine(const PlayedGame& game);
// Errors name the key that is missing or wrong. The game's moves are legal.
absl::StatusOr<PlayedGame> FromJsonLine(const std::string& line);

}  // namespace chuhe
