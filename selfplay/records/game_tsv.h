// Collections of real games as tab-separated text, one game a line.
//
// A header line names the columns, of which `result`, `start` and `moves` are read: `1-0`, `0-1`,
// `1/2-1/2` or `*`; `startpos` or a FEN; moves such as `h2e2 h9g7`. Files that end in .zst are
// compressed with zstd.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

struct GameCollection {
  std::vector<GameRecord> games;
  int skipped = 0;            // games that could not be read
  std::string first_problem;  // `FILE:LINE: …` of the first of them; empty if there is none
};

// An unreadable file or header is an error; so is a file of which no game can be read.
absl::StatusOr<GameCollection> ReadGameTsv(const std::string& path);

// The same from text; `name` stands in errors for the file.
absl::StatusOr<GameCollection> ParseGameTsv(absl::string_view text, absl::string_view name);

// One line: FEN or `startpos`, moves in UCI squares, the result as above.
absl::StatusOr<GameRecord> MakeGameRecord(absl::string_view start, absl::string_view moves,
                                          absl::string_view result);

}  // namespace chuhe
