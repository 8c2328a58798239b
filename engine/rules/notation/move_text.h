// Reads moves from running text: any notation that notation.h lists, mixed too, with move numbers,
// comments and results between them, run together as in classic tutorials or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/rules/notation/coordinates.h"

namespace chuhe {

struct MoveTextOptions {
  // How squares without a dash count ranks. Without a value the text decides, as a whole: a rank 0
  // or 10 tells; else 0–9, unless some move is illegal under it that is legal with 1–10.
  std::optional<RankBase> rank_base;
};

struct MoveTextReading {
  // Where the moves start: the given position, with Black to move where the text begins with dots
  // in the place of Red's move.
  Position start;
  // All moves, or those in front of the first fault.
  std::vector<Move> moves;
  // OK, or an error that says which move of the text (counted from 1), its text, its line and
  // column (in characters, from 1), and what is wrong: unreadable, illegal and why, or ambiguous.
  absl::Status status;
};

// Text that is not UTF-8 is an error like the others, at its place. An empty text has no moves and
// is none.
MoveTextReading ReadMoveText(const Position& start, std::string_view text,
                             const MoveTextOptions& options = {});

// A text of exactly one move.
absl::StatusOr<Move> ReadMove(const Position& position, std::string_view text,
                              const MoveTextOptions& options = {});

}  // namespace chuhe
