#include "selfplay/records/game_tsv.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "selfplay/records/compressed_file.h"

namespace chuhe {
namespace {

struct Columns {
  size_t result = 0;
  size_t start = 0;
  size_t moves = 0;

  size_t last() const { return std::max({result, start, moves}); }
};

absl::StatusOr<Columns> ReadHeader(absl::string_view line, absl::string_view name) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, '\t');
  const auto find = [&](absl::string_view column, size_t* place) -> absl::Status {
    const auto it = std::find(fields.begin(), fields.end(), column);
    if (it == fields.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ":1: the header has no column '", column,
                       "'; expected tab-separated columns result, start and moves"));
    }
    *place = static_cast<size_t>(it - fields.begin());
    return absl::OkStatus();
  };
  Columns columns;
  CHUHE_RETURN_IF_ERROR(find("result", &columns.result));
  CHUHE_RETURN_IF_ERROR(find("start", &columns.start));
  CHUHE_RETURN_IF_ERROR(find("moves", &columns.moves));
  return columns;
}

absl::StatusOr<GameRecord> ReadLine(absl::string_view line, const Columns& columns) {
  const std::vector<absl::string_view> fields = absl::StrSplit(line, '\t');
  if (fields.size() <= columns.last()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least ", columns.last() + 1, " columns, found ", fields.size()));
  }
  return MakeGameRecord(fields[columns.start], fields[columns.moves], fields[columns.result]);
}

absl::Status ReadResult(absl::string_view result, GameRecord* record) {
  if (result == "1-0") {
    record->outcome = Outcome::kBlackLoses;
  } else if (result == "0-1") {
    record->outcome = Outcome::kRedLoses;
  } else if (result == "1/2-1/2") {
    record->outcome = Outcome::kDraw;
  } else if (result != "*") {
    return absl::InvalidArgumentError(
        absl::StrCat("result '", result, "'; expected 1-0, 0-1, 1/2-1/2 or *"));
  }
  // Real games that are won end by resignation or mate; agreed draws end anywhere.
  const bool is_decided =
      record->outcome == Outcome::kRedLoses || record->outcome == Outcome::kBlackLoses;
  record->end = is_decided ? GameEnd::kResignation : GameEnd::kUnknown;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GameRecord> MakeGameRecord(absl::string_view start, absl::string_view moves,
                                          absl::string_view result) {
  GameRecord record;
  CHUHE_ASSIGN_OR_RETURN(const FenRecord fen, ParseFen(start));
  record.start = fen.position;
  record.start_no_capture_plies = fen.halfmove;
  CHUHE_RETURN_IF_ERROR(ReadResult(result, &record));
  Position position = fen.position;
  for (const absl::string_view text : absl::StrSplit(moves, ' ', absl::SkipEmpty())) {
    const std::optional<Move> move = ParseUci({text.data(), text.size()});
    if (!move || !IsLegal(position, *move)) {
      return absl::InvalidArgumentError(absl::StrCat("move ", record.plies.size() + 1, " '", text,
                                                     "' is ", move ? "illegal" : "unreadable"));
    }
    position.Make(*move);
    record.plies.push_back({.move = *move, .policy = {}, .root = {}});
  }
  if (record.plies.empty()) return absl::InvalidArgumentError("the game has no moves");
  return record;
}

absl::StatusOr<GameCollection> ParseGameTsv(absl::string_view text, absl::string_view name) {
  GameCollection collection;
  Columns columns;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripSuffix(line, "\r");
    if (number == 1) {
      CHUHE_ASSIGN_OR_RETURN(columns, ReadHeader(line, name));
      continue;
    }
    if (line.empty()) continue;
    absl::StatusOr<GameRecord> record = ReadLine(line, columns);
    if (record.ok()) {
      collection.games.push_back(*std::move(record));
      continue;
    }
    if (collection.skipped++ == 0) {
      collection.first_problem = absl::StrCat(name, ":", number, ": ", record.status().message());
    }
  }
  if (collection.games.empty()) {
    return absl::InvalidArgumentError(collection.first_problem.empty()
                                          ? absl::StrCat(name, ": no games")
                                          : collection.first_problem);
  }
  return collection;
}

absl::StatusOr<GameCollection> ReadGameTsv(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const std::string text, ReadMaybeCompressed(path));
  return ParseGameTsv(text, path);
}

}  // namespace chuhe
