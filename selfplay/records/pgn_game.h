// A game as PGN has it: tags, moves, comments.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/rules/verdict.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

struct PgnGame {
  std::vector<std::pair<std::string, std::string>> tags;  // as written, in their order
  Position start = Position::Start();
  int start_no_capture_plies = 0;
  std::vector<Move> moves;            // legal ones
  std::vector<std::string> comments;  // one behind each move, or none at all
  Outcome outcome = Outcome::kUndecided;

  // Of a game that was read: the line of the file that it begins on, from 1, and what is wrong with
  // it. The moves are then those in front of the fault.
  int line = 1;
  absl::Status status;

  // The value of a tag in any letter case; empty if there is none.
  absl::string_view Tag(absl::string_view name) const;
};

// `1-0`, `0-1`, `1/2-1/2` or `*`.
absl::string_view ResultText(Outcome outcome);

// The moves and the result, without thoughts.
GameRecord RecordOf(const PgnGame& game);

// Tags that say where it comes from, the moves and, behind each that was searched, what the search
// thought of the position before it: `{win draw loss in percent}`, of the side to move.
PgnGame PgnOf(const GameRecord& record);

}  // namespace chuhe
