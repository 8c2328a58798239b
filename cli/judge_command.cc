#include "cli/judge_command.h"

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "absl/status/statusor.h"
#include "cli/judge_cases.h"
#include "engine/base/input_file.h"

namespace chuhe {

void JudgeCommand::Register(CLI::App& app) {
  CLI::App* judge = app.add_subcommand("judge", "Say what the rules make of a game");
  judge->add_option("--rules", rules_, "Rule set: computer, pikafish, axf or cxa")
      ->capture_default_str();
  CLI::Option* fen =
      judge->add_option("--fen", fen_, "Where the game starts; default: the start position");
  CLI::Option* moves =
      judge->add_option("--moves", moves_, "Moves from there, in any notation: \"h2e2 h9g7\"");
  judge->add_option("--cases", cases_file_, "Judge every row of a TSV table instead")
      ->excludes(fen)
      ->excludes(moves);
  judge->footer(
      "Prints one line: draw, red loses, black loses or undecided, then the reason.\n"
      "Example: chuhe judge --rules axf --fen '4k4/9/5R3/9/9/4P4/9/9/9/3K5 w' \\\n"
      "           --moves 'f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9'\n"
      "A table has the columns id, ruleset, fen, moves, expected and, if wanted, status; only "
      "rows\n"
      "whose status is `verified` count. Last line: N passed, N failed, N skipped.");
}

int JudgeCommand::Run() { return cases_file_.empty() ? RunCase() : RunTable(); }

int JudgeCommand::RunCase() const {
  const absl::StatusOr<std::string> line = JudgeLine(rules_, fen_, moves_);
  if (!line.ok()) {
    std::cerr << "chuhe judge: " << line.status().message() << "\n";
    return EXIT_FAILURE;
  }
  std::cout << *line << "\n";
  return EXIT_SUCCESS;
}

int JudgeCommand::RunTable() const {
  const absl::StatusOr<std::string> text = ReadInputFile(cases_file_);
  if (!text.ok()) {
    std::cerr << "chuhe judge: " << text.status().message() << "\n";
    return EXIT_FAILURE;
  }
  std::istringstream cases(*text);
  const absl::StatusOr<CaseTotals> totals = JudgeCases(cases, cases_file_, std::cout);
  if (!totals.ok()) {
    std::cerr << "chuhe judge: " << totals.status().message() << "\n";
    return EXIT_FAILURE;
  }
  return totals->failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace chuhe
