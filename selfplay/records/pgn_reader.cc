#include "selfplay/records/pgn_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/rules/notation/move_scanner.h"
#include "engine/rules/notation/move_text.h"
#include "selfplay/records/compressed_file.h"
#include "selfplay/records/text_encoding.h"

namespace chuhe {
namespace {

// A game's lines, before its moves are read.
struct Lines {
  PgnGame game;
  std::string moves;
};

// `[Name "value"]` without what makes no text, such as the length byte that Pascal programs leave.
std::optional<std::pair<std::string, std::string>> ReadTag(absl::string_view line) {
  const size_t open = line.find('"');
  const size_t close = line.rfind('"');
  if (open == absl::string_view::npos || close <= open || line.front() != '[') return std::nullopt;
  const absl::string_view name = absl::StripAsciiWhitespace(line.substr(1, open - 1));
  const bool is_name = std::all_of(
      name.begin(), name.end(), [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; });
  if (name.empty() || !is_name) return std::nullopt;
  std::string value(line.substr(open + 1, close - open - 1));
  value.erase(std::remove_if(value.begin(), value.end(),
                             [](unsigned char c) { return absl::ascii_iscntrl(c); }),
              value.end());
  // The standard's escapes; a backslash in front of anything else is one.
  value = absl::StrReplaceAll(value, {{"\\\\", "\\"}, {"\\\"", "\""}});
  return std::make_pair(std::string(name), std::move(value));
}

std::vector<Lines> SplitGames(absl::string_view text) {
  std::vector<Lines> games;
  // Files of old Macintoshes end lines with CR alone.
  const char newline = absl::StrContains(text, "\n") ? '\n' : '\r';
  int number = 0;
  bool is_open = false;
  for (absl::string_view line : absl::StrSplit(text, newline)) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() && (!is_open || games.back().moves.empty())) continue;
    auto tag = line.empty() ? std::nullopt : ReadTag(line);
    if (!is_open || (tag && !games.back().moves.empty())) {
      games.emplace_back().game.line = number;
      is_open = true;
    }
    if (tag) {
      games.back().game.tags.push_back(*std::move(tag));
      continue;
    }
    absl::StrAppend(&games.back().moves, line, "\n");
  }
  return games;
}

// Undecided also for what is no result.
Outcome OutcomeOf(absl::string_view result) {
  const struct {
    Outcome outcome;
    std::vector<absl::string_view> words;
  } kResults[] = {
      {Outcome::kBlackLoses, {"1-0", "红胜", "紅勝", "红方胜", "紅方勝", "红先胜", "紅先勝"}},
      {Outcome::kRedLoses, {"0-1", "黑胜", "黑勝", "黑方胜", "黑方勝", "红负", "紅負"}},
      {Outcome::kDraw, {"1/2-1/2", "1/2", "和", "和棋", "和局", "红和", "紅和"}},
  };
  result = absl::StripAsciiWhitespace(result);
  for (const auto& entry : kResults) {
    const auto& words = entry.words;
    if (std::find(words.begin(), words.end(), result) != words.end()) return entry.outcome;
  }
  return Outcome::kUndecided;
}

// Where the moves end: at the first result, or at the end of the text.
size_t EndOfMoves(std::string_view text, Outcome* outcome) {
  MoveScanner scanner(text);
  for (;;) {
    const MoveToken token = scanner.Next();
    if (token.kind == MoveTokenKind::kResult) {
      *outcome = OutcomeOf({text.data() + token.begin, token.end - token.begin});
      return token.begin;
    }
    if (token.kind != MoveTokenKind::kSymbols && token.kind != MoveTokenKind::kCoordinates) {
      return text.size();
    }
  }
}

void ReadMoves(std::string_view text, PgnGame* game) {
  MoveTextReading reading = ReadMoveText(game->start, text);
  if (!reading.status.ok() && reading.moves.empty()) {
    Position other = game->start;
    other.SwitchSide();
    if (ParseFen(FormatFen(other)).ok()) {
      MoveTextReading again = ReadMoveText(other, text);
      if (again.status.ok() && !again.moves.empty()) reading = std::move(again);
    }
  }
  game->start = reading.start;
  game->moves = std::move(reading.moves);
  game->status = reading.status;
}

PgnGame ReadGame(Lines lines) {
  PgnGame game = std::move(lines.game);
  if (const absl::string_view text = game.Tag("FEN"); !text.empty()) {
    const absl::StatusOr<FenRecord> fen = ParseFen(text);
    if (!fen.ok()) {
      game.status = fen.status();
      return game;
    }
    game.start = fen->position;
    game.start_no_capture_plies = fen->halfmove;
  }
  const std::string_view moves = lines.moves;
  Outcome at_end = Outcome::kUndecided;
  const size_t end = EndOfMoves(moves, &at_end);
  ReadMoves(moves.substr(0, end), &game);
  game.outcome = OutcomeOf(game.Tag("Result"));
  if (game.outcome == Outcome::kUndecided) game.outcome = at_end;
  return game;
}

}  // namespace

std::vector<PgnGame> ParsePgn(absl::string_view utf8) {
  std::vector<PgnGame> games;
  for (Lines& lines : SplitGames(utf8)) games.push_back(ReadGame(std::move(lines)));
  return games;
}

absl::StatusOr<std::vector<PgnGame>> ReadPgn(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const std::string bytes, ReadMaybeCompressed(path));
  return ParsePgn(ToUtf8(bytes));
}

absl::StatusOr<GameCollection> ReadPgnRecords(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const std::vector<PgnGame> games, ReadPgn(path));
  GameCollection collection;
  for (const PgnGame& game : games) {
    absl::Status status = game.status;
    if (status.ok() && game.moves.empty()) {
      status = absl::InvalidArgumentError("the game has no moves");
    }
    if (status.ok()) {
      collection.games.push_back(RecordOf(game));
    } else if (collection.skipped++ == 0) {
      collection.first_problem = absl::StrCat(path, ":", game.line, ": ", status.message());
    }
  }
  if (!collection.games.empty()) return collection;
  return absl::InvalidArgumentError(collection.first_problem.empty()
                                        ? absl::StrCat(path, ": no games")
                                        : collection.first_problem);
}

}  // namespace chuhe
