#include "cli/judge_cases.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"
#include "engine/rules/notation/move_text.h"
#include "engine/rules/verdict.h"

namespace chuhe {
namespace {

constexpr absl::string_view kMovesRuleSet = "MOVES";

struct Case {
  std::string id;
  std::string rules;
  std::string fen;
  std::string moves;
  std::string expected;
  bool counts = true;
};

// Where the columns of a table are.
class Columns {
 public:
  static absl::StatusOr<Columns> Read(absl::string_view header) {
    Columns columns;
    columns.names_ = absl::StrSplit(header, '\t');
    for (const absl::string_view name : {"id", "ruleset", "fen", "moves", "expected"}) {
      if (!columns.Find(name).has_value()) {
        return absl::InvalidArgumentError(absl::StrCat("the header has no column '", name, "'"));
      }
    }
    return columns;
  }

  absl::StatusOr<Case> ReadRow(absl::string_view line) const {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, '\t');
    size_t needed = 0;
    for (const absl::string_view name : {"id", "ruleset", "fen", "moves", "expected"}) {
      needed = std::max(needed, *Find(name) + 1);
    }
    if (fields.size() < needed) {
      return absl::InvalidArgumentError(
          absl::StrCat("only ", fields.size(), " columns, expected at least ", needed));
    }
    const auto field = [&](absl::string_view name) { return std::string(fields[*Find(name)]); };
    Case row{field("id"), field("ruleset"), field("fen"), field("moves"), field("expected"), true};
    if (const std::optional<size_t> status = Find("status"); status.has_value()) {
      row.counts = *status < fields.size() && fields[*status] == "verified";
    }
    return row;
  }

 private:
  std::optional<size_t> Find(absl::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<size_t>(found - names_.begin());
  }

  std::vector<std::string> names_;
};

// What the row asks for, worked out in the form of its `expected`; nothing if we cannot say.
std::optional<std::string> Answer(const Case& row) {
  const bool is_moves_case = absl::EqualsIgnoreCase(row.rules, kMovesRuleSet);
  const std::string rules = is_moves_case ? "computer" : row.rules;
  if (!ParseRuleSet(rules).ok()) return std::nullopt;
  const absl::StatusOr<Game> game = ReplayGame(rules, row.fen, row.moves);
  const auto error = [](const absl::Status& status) {
    return absl::StrCat("error: ", status.message());
  };
  const std::vector<std::string> question = absl::StrSplit(row.expected, '=');
  if (question.size() == 2 && is_moves_case) {
    if (!game.ok()) return error(game.status());
    if (question[0] == "legal-moves") {
      return absl::StrCat(question[0], "=", CountLegal(game->position()));
    }
    int depth = 0;
    absl::string_view text = question[0];
    if (absl::ConsumePrefix(&text, "perft ") && absl::SimpleAtoi(text, &depth)) {
      Position position = game->position();
      return absl::StrCat(question[0], "=", Perft(position, depth, /*bulk=*/true));
    }
    return std::nullopt;
  }
  for (const Outcome outcome :
       {Outcome::kUndecided, Outcome::kDraw, Outcome::kRedLoses, Outcome::kBlackLoses}) {
    if (row.expected != OutcomeName(outcome)) continue;
    if (!game.ok()) return error(game.status());
    return Describe(game->Adjudicate(), game->position());
  }
  return std::nullopt;
}

bool Agrees(absl::string_view answer, absl::string_view expected) {
  return answer == expected || absl::StartsWith(answer, absl::StrCat(expected, ":"));
}

void JudgeRow(const Case& row, CaseTotals* totals, std::ostream& out) {
  const std::optional<std::string> answer = Answer(row);
  if (!answer.has_value()) {
    ++totals->skipped;
    return;
  }
  const bool agrees = Agrees(*answer, row.expected);
  if (row.counts) {
    ++(agrees ? totals->passed : totals->failed);
  } else {
    ++(agrees ? totals->unverified_agree : totals->unverified_differ);
  }
  if (!agrees) {
    out << (row.counts ? "miss " : "unverified miss ") << row.id << " (" << row.rules
        << "): expected " << row.expected << ", got " << *answer << "\n";
  }
}

}  // namespace

absl::StatusOr<Game> ReplayGame(absl::string_view rules, absl::string_view fen,
                                absl::string_view moves) {
  GameOptions options;
  CHUHE_ASSIGN_OR_RETURN(options.rules, ParseRuleSet(rules));
  Position start = Position::Start();
  if (!fen.empty()) {
    CHUHE_ASSIGN_OR_RETURN(const FenRecord record, ParseFen(fen));
    start = record.position;
    options.no_capture_plies = record.halfmove;
  }
  const MoveTextReading reading = ReadMoveText(start, {moves.data(), moves.size()});
  CHUHE_RETURN_IF_ERROR(reading.status);
  Game game(reading.start, options);
  for (const Move move : reading.moves) game.Make(move);
  return game;
}

absl::StatusOr<std::string> JudgeLine(absl::string_view rules, absl::string_view fen,
                                      absl::string_view moves) {
  CHUHE_ASSIGN_OR_RETURN(const Game game, ReplayGame(rules, fen, moves));
  return Describe(game.Adjudicate(), game.position());
}

absl::StatusOr<CaseTotals> JudgeCases(std::istream& in, absl::string_view name, std::ostream& out) {
  CaseTotals totals;
  std::optional<Columns> columns;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const auto at_line = [&](const absl::Status& status) {
      return absl::Status(status.code(), absl::StrCat(name, ":", number, ": ", status.message()));
    };
    if (!columns.has_value()) {
      absl::StatusOr<Columns> header = Columns::Read(line);
      if (!header.ok()) return at_line(header.status());
      columns = *std::move(header);
      continue;
    }
    const absl::StatusOr<Case> row = columns->ReadRow(line);
    if (!row.ok()) return at_line(row.status());
    JudgeRow(*row, &totals, out);
  }
  if (!columns.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": no header line"));
  }
  if (totals.unverified_agree + totals.unverified_differ > 0) {
    out << "unverified rows, not counted: " << totals.unverified_agree << " agree, "
        << totals.unverified_differ << " differ\n";
  }
  out << totals.passed << " passed, " << totals.failed << " failed, " << totals.skipped
      << " skipped\n";
  return totals;
}

}  // namespace chuhe
