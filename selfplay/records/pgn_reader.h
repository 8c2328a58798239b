// Reads xiangqi PGN as it is found: any notation and encoding, tags missing, text between games.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/records/game_tsv.h"
#include "selfplay/records/pgn_game.h"

namespace chuhe {

// All games of the text, those with faults too: their status says what is wrong, and their moves
// are those before it. A game begins where a tag follows something else than tags. Variations and
// comments are left out. Moves end at the first result among them; what follows, such as
// advertisements, is skipped. The outcome is what the Result tag says, else what ends the moves.
// Where the first move is illegal and all are legal with the other side to begin, that side begins.
std::vector<PgnGame> ParsePgn(absl::string_view utf8);

// The games of a file in any encoding that ToUtf8 knows, also compressed (.zst).
absl::StatusOr<std::vector<PgnGame>> ReadPgn(const std::string& path);

// The same as records. Games with faults and games without moves are skipped; an error if that
// leaves none.
absl::StatusOr<GameCollection> ReadPgnRecords(const std::string& path);

}  // namespace chuhe
