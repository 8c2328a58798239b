// Where games start: lists of openings from files, a built-in set, random ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/rules/game.h"

namespace chuhe {

struct Opening {
  Position start = Position::Start();
  int halfmove = 0;  // of the start; plies without a capture
  std::vector<Move> moves;

  Game MakeGame(RuleSet rules) const;
};

// `FEN`, `startpos`, or either with ` moves h2e2 h9g7 …`.
absl::StatusOr<Opening> ParseOpening(std::string_view text);
std::string FormatOpening(const Opening& opening);

// One opening a line, as ParseOpening reads it; blank lines and those that begin with # are
// skipped. Files whose names end in .pgn hold games instead, of which the first `plies` plies are
// taken (0: all). Errors name file and line. A file without openings is an error, and so is one in
// which the game is over.
absl::StatusOr<std::vector<Opening>> ReadOpenings(const std::string& path, int plies);

// Openings of real games that a search finds level (docs/match.md).
std::vector<Opening> BuiltinOpenings();

struct RandomOpeningOptions {
  int plies = 6;
  // A search to this depth must find the position within so many centipawns of level.
  int depth = 4;
  int max_cp = 60;
};
// The opening of this number in the stream of the seed: random plies from the start position, drawn
// until one is level.
Opening RandomOpening(const RandomOpeningOptions& options, uint64_t seed, uint64_t number);

// What an alpha-beta search to the depth makes of the end of the opening, in Red's view; a mate is
// far from level.
int OpeningScore(const Opening& opening, int depth);

}  // namespace chuhe
