#include "selfplay/match/openings.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/input_file.h"
#include "engine/base/random.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/move_text.h"
#include "engine/rules/notation/notation.h"
#include "engine/search/alphabeta.h"
#include "selfplay/records/pgn_reader.h"

namespace chuhe {
namespace {

constexpr int kMateCp = 30000;

absl::Status CheckPlayable(const Opening& opening) {
  const Game game = opening.MakeGame(RuleSet::kComputer);
  if (game.Adjudicate().outcome == Outcome::kUndecided) return absl::OkStatus();
  return absl::InvalidArgumentError("the game is over there");
}

absl::Status AtLine(const std::string& path, int line, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ":", line, ": ", status.message()));
}

absl::StatusOr<std::vector<Opening>> ReadLines(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const std::string all, ReadInputFile(path));
  std::istringstream lines(all);
  std::vector<Opening> openings;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    if (text.empty() || text.front() == '#') continue;
    absl::StatusOr<Opening> opening = ParseOpening({text.data(), text.size()});
    const absl::Status status = opening.ok() ? CheckPlayable(*opening) : opening.status();
    if (!status.ok()) return AtLine(path, number, status);
    openings.push_back(*std::move(opening));
  }
  return openings;
}

// The start and the first `plies` moves (0: all).
absl::StatusOr<Opening> OpeningOf(const PgnGame& game, int plies) {
  Opening opening = {
      .start = game.start, .halfmove = game.start_no_capture_plies, .moves = game.moves};
  const bool has_enough = plies > 0 && static_cast<int>(opening.moves.size()) >= plies;
  // What is wrong behind the opening does not matter.
  if (!has_enough) CHUHE_RETURN_IF_ERROR(game.status);
  if (has_enough) opening.moves.resize(static_cast<size_t>(plies));
  return opening;
}

absl::StatusOr<std::vector<Opening>> ReadPgnOpenings(const std::string& path, int plies) {
  CHUHE_ASSIGN_OR_RETURN(const std::vector<PgnGame> games, ReadPgn(path));
  std::vector<Opening> openings;
  for (const PgnGame& game : games) {
    absl::StatusOr<Opening> opening = OpeningOf(game, plies);
    const absl::Status status = opening.ok() ? CheckPlayable(*opening) : opening.status();
    if (!status.ok()) return AtLine(path, game.line, status);
    openings.push_back(*std::move(opening));
  }
  return openings;
}

}  // namespace

Game Opening::MakeGame(RuleSet rules) const {
  Game game(start, {.rules = rules, .no_capture_plies = halfmove});
  for (const Move move : moves) game.Make(move);
  return game;
}

absl::StatusOr<Opening> ParseOpening(std::string_view text) {
  const absl::string_view all(text.data(), text.size());
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(all, absl::MaxSplits(" moves", 1));
  CHUHE_ASSIGN_OR_RETURN(const FenRecord record, ParseFen(parts.first));
  Opening opening = {.start = record.position, .halfmove = record.halfmove};
  MoveTextReading reading =
      ReadMoveText(record.position, {parts.second.data(), parts.second.size()});
  CHUHE_RETURN_IF_ERROR(reading.status);
  opening.moves = std::move(reading.moves);
  return opening;
}

std::string FormatOpening(const Opening& opening) {
  std::string text = opening.start == Position::Start() && opening.halfmove == 0
                         ? "startpos"
                         : FormatFen(opening.start, opening.halfmove);
  if (!opening.moves.empty()) {
    absl::StrAppend(&text, " moves ", WriteMoves(opening.start, opening.moves, Notation::kUci));
  }
  return text;
}

absl::StatusOr<std::vector<Opening>> ReadOpenings(const std::string& path, int plies) {
  const bool is_pgn = absl::EndsWithIgnoreCase(path, ".pgn");
  absl::StatusOr<std::vector<Opening>> openings =
      is_pgn ? ReadPgnOpenings(path, plies) : ReadLines(path);
  if (openings.ok() && openings->empty()) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": no openings"));
  }
  return openings;
}

int OpeningScore(const Opening& opening, int depth) {
  AlphaBetaSearcher searcher({.depth = depth, .hash_bytes = size_t{1} << 20});
  const Game game = opening.MakeGame(RuleSet::kComputer);
  if (!HasLegalMove(game.position())) return kMateCp;
  searcher.SetGame(game);
  const SearchSignal signal;
  const SearchResult result = searcher.Search({.depth = depth}, signal, {});
  if (result.progress.lines.empty()) return kMateCp;
  const Score& score = result.progress.lines[0].score;
  const int cp = score.mate_in.has_value() ? kMateCp : score.centipawns;
  return game.position().side_to_move() == Color::kRed ? cp : -cp;
}

Opening RandomOpening(const RandomOpeningOptions& options, uint64_t seed, uint64_t number) {
  Random random(seed, StreamId("opening", number));
  for (;;) {
    Opening opening;
    Position position = opening.start;
    for (int ply = 0; ply < options.plies; ++ply) {
      MoveList moves;
      GenerateLegal(position, &moves);
      if (moves.size == 0) break;
      const Move move = moves[static_cast<int>(random.Below(static_cast<uint64_t>(moves.size)))];
      position.Make(move);
      opening.moves.push_back(move);
    }
    if (static_cast<int>(opening.moves.size()) == options.plies && CheckPlayable(opening).ok() &&
        std::abs(OpeningScore(opening, options.depth)) <= options.max_cp) {
      return opening;
    }
  }
}

}  // namespace chuhe
