// FEN: positions as text, in all the spellings that xiangqi programs write.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/position.h"

namespace chuhe {

inline constexpr char kStartFen[] =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

struct FenRecord {
  Position position;
  int halfmove = 0;  // plies without a capture, as written; may lie beyond any limit
  int fullmove = 1;
};

// Reads `BOARD [SIDE [- -] [HALFMOVE [FULLMOVE]]]` or `startpos`. Letters h/e/m for n/b, side w or
// r for Red, joined dashes, missing fields and any run of blanks are accepted. Errors name the
// field and, for the board, the square: wrong counts of rows, points or men, men on impossible
// points, facing kings, the side that is not to move in check.
absl::StatusOr<FenRecord> ParseFen(absl::string_view text);

// `BOARD w|b - - HALFMOVE FULLMOVE` with the letters K A B N R C P.
std::string FormatFen(const Position& position, int halfmove = 0, int fullmove = 1);

}  // namespace chuhe
