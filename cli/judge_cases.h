// Tables of rule cases: rows that ask the judge or the move generator and know the answer.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/rules/game.h"

namespace chuhe {

// Sets up a game from a FEN (empty: the start position) and plays the moves, of any notation.
// Errors name the FEN's field or the move and its place.
absl::StatusOr<Game> ReplayGame(absl::string_view rules, absl::string_view fen,
                                absl::string_view moves);

// The verdict on such a game in one line.
absl::StatusOr<std::string> JudgeLine(absl::string_view rules, absl::string_view fen,
                                      absl::string_view moves);

struct CaseTotals {
  int passed = 0;
  int failed = 0;
  int skipped = 0;  // rows that ask what is not a question of the rules, or under unknown rule sets
  // Rows whose status is not `verified` are judged and reported, but do not count.
  int unverified_agree = 0;
  int unverified_differ = 0;
};

// Reads a TSV table with a header line that names at least id, ruleset, fen, moves and expected;
// without a column `status` all rows count. Prints a line for each miss and the totals at the end.
// `name` is the file's, for messages. Errors: no header, or a row without all columns.
absl::StatusOr<CaseTotals> JudgeCases(std::istream& in, absl::string_view name, std::ostream& out);

}  // namespace chuhe
