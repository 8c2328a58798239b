#include "cli/moves_command.h"

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <optional>

#include "absl/status/status.h"
#include "engine/board/fen.h"
#include "engine/rules/notation/move_text.h"

namespace chuhe {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

absl::StatusOr<Position> ReadStart(const std::string& fen) {
  const absl::StatusOr<FenRecord> record = ParseFen(fen);
  if (!record.ok()) {
    return record.status();
  }
  return record->position;
}

// Whether what stands before a tab is a FEN: its first word has the slashes of a board. A result
// such as 1/2-1/2 has some too, but only digits around them.
bool LooksLikeFen(std::string_view field) {
  const size_t begin = field.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    return false;
  }
  const std::string_view word = field.substr(begin, field.find_first_of(kBlanks, begin) - begin);
  return word == "startpos" || (word.find('/') != std::string_view::npos && !word.ends_with("1/2"));
}

std::string Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) {
    return {};
  }
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin));
}

}  // namespace

void MovesCommand::Register(CLI::App& app) {
  CLI::App* moves = app.add_subcommand(
      "moves", "Read move text of any notation and write the moves in one of them");
  fen_option_ =
      moves->add_option("--fen", fen_, "Start of the moves; the start position if not given");
  std::vector<std::string> names;
  for (const std::string_view name : NotationNames()) {
    names.emplace_back(name);
  }
  moves->add_option("--to", to_, "Notation to write: h2e2 (uci) if not given")
      ->check(CLI::IsMember(names));
  moves->add_flag("--lines", lines_,
                  "Read lines `TEXT` or `FEN<tab>TEXT` and write a line for each");
  moves->add_option("TEXT", texts_, "Move text; standard input if not given");
  moves->footer(
      "Read are ICCS (H2-E2), squares with ranks 0-9 (h2e2) or 1-10 (h3e3), WXF (C2.5) and "
      "Chinese\n"
      "(炮二平五), mixed too, with move numbers, comments in {} or (), and a result at the end.\n"
      "Example: chuhe moves --to wxf '1.炮二平五 马8进7 2.马二进三'\n"
      "A move that begins with a minus sign comes behind `--`: chuhe moves -- '--.4'");
}

int MovesCommand::Run() {
  notation_ = NotationNamed(to_).value_or(Notation::kUci);
  absl::StatusOr<Position> start =
      fen_option_->empty() ? Position::Start() : ReadStart(Trimmed(fen_));
  if (!start.ok()) {
    std::cerr << "chuhe moves: --fen: " << start.status().message() << "\n";
    return EXIT_FAILURE;
  }
  if (lines_) {
    if (!texts_.empty()) {
      std::cerr << "chuhe moves: --lines reads standard input, but TEXT was given too\n";
      return EXIT_FAILURE;
    }
    return RunLines(*start, std::cin);
  }
  std::string text;
  for (const std::string& part : texts_) {
    text += (text.empty() ? "" : " ") + part;
  }
  if (texts_.empty()) {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  }
  const absl::StatusOr<std::string> line = Convert(*start, text);
  if (!line.ok()) {
    std::cerr << "chuhe moves: " << line.status().message() << "\n";
    return EXIT_FAILURE;
  }
  std::cout << *line << "\n";
  return EXIT_SUCCESS;
}

absl::StatusOr<std::string> MovesCommand::Convert(const Position& start,
                                                  std::string_view text) const {
  const MoveTextReading reading = ReadMoveText(start, text);
  if (!reading.status.ok()) {
    return reading.status;
  }
  return WriteMoves(reading.start, reading.moves, notation_);
}

absl::StatusOr<std::string> MovesCommand::ConvertLine(const Position& start,
                                                      std::string_view line) const {
  const size_t tab = line.find('\t');
  if (tab == std::string_view::npos || !LooksLikeFen(line.substr(0, tab))) {
    return Convert(start, line);
  }
  const absl::StatusOr<Position> own_start = ReadStart(Trimmed(line.substr(0, tab)));
  if (!own_start.ok()) {
    return own_start.status();
  }
  return Convert(*own_start, line.substr(tab + 1));
}

int MovesCommand::RunLines(const Position& start, std::istream& in) const {
  int status = EXIT_SUCCESS;
  std::string line;
  while (std::getline(in, line)) {
    if (!line.empty() && line.back() == '\r') {
      line.pop_back();
    }
    const absl::StatusOr<std::string> moves = ConvertLine(start, line);
    if (moves.ok()) {
      std::cout << *moves << "\n";
    } else {
      std::cout << "error: " << moves.status().message() << "\n";
      status = EXIT_FAILURE;
    }
    std::cout.flush();  // for a program at the other end of two pipes
  }
  return status;
}

}  // namespace chuhe
