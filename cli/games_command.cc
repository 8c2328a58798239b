#include "cli/games_command.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "cli/games_text.h"
#include "engine/base/status_macros.h"
#include "selfplay/records/game_statistics.h"
#include "selfplay/records/pgn_game.h"
#include "selfplay/records/pgn_writer.h"

namespace chuhe {
namespace {

constexpr char kPaths[] =
    "Files *.games, *.tsv, *.pgn (the last two also with .zst), or folders of files *.games, such "
    "as "
    "a run's";

}  // namespace

void GamesCommand::Register(CLI::App& app) {
  CLI::App* games = app.add_subcommand(
      "games", "Look at recorded games: numbers, single games, faults; write them as PGN");
  games->require_subcommand(1);
  RegisterStats(*games);
  RegisterShow(*games);
  RegisterVerify(*games);
  RegisterExport(*games);
  games->footer(
      "Example: chuhe games stats runs/quickstart\nOptions of a subcommand: chuhe games SUBCOMMAND "
      "--help");
}

void GamesCommand::RegisterStats(CLI::App& games) {
  stats_ = games.add_subcommand("stats", "Results, ends, lengths and resignations in numbers");
  stats_->add_option("PATH", paths_, kPaths)->required();
  stats_->add_flag("--json", json_, "One JSON object");
  stats_->footer("Example: chuhe games stats --json runs/quickstart/games/shards");
}

void GamesCommand::RegisterShow(CLI::App& games) {
  show_ = games.add_subcommand("show", "One game, move by move, with what the search thought");
  show_->add_option("PATH", paths_, kPaths)->required();
  show_->add_option("--game", number_, "Which game, counted from 1 through all paths")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  std::vector<std::string> names;
  for (const std::string_view name : NotationNames()) names.emplace_back(name);
  show_->add_option("--to", to_, "Notation of the moves: h2e2 (uci) if not given")
      ->check(CLI::IsMember(names));
  show_->footer("Example: chuhe games show --game 3 --to chinese runs/quickstart");
}

void GamesCommand::RegisterVerify(CLI::App& games) {
  verify_ = games.add_subcommand(
      "verify", "Check all games: checksums, moves, policies, and results by the judge");
  verify_->add_option("PATH", paths_, kPaths)->required();
  verify_->footer(
      "A line on stderr for each fault; the status is 0 if there is none.\n"
      "Example: chuhe games verify runs/quickstart");
}

void GamesCommand::RegisterExport(CLI::App& games) {
  export_ = games.add_subcommand("export", "Write games as PGN");
  export_->add_option("PATH", paths_, kPaths)->required();
  export_->add_option("--notation", notation_, "Notation of the moves: H2-E2 (iccs) if not given")
      ->check(CLI::IsMember(std::vector<std::string>{"iccs", "wxf", "chinese", "traditional"}));
  export_->add_option("--out", out_, "File to write; standard output if not given");
  export_->footer("Example: chuhe games export --notation chinese --out games.pgn runs/quickstart");
}

int GamesCommand::Run() {
  absl::Status status;
  if (stats_->parsed()) status = RunStats();
  if (show_->parsed()) status = RunShow();
  if (verify_->parsed()) status = RunVerify();
  if (export_->parsed()) status = RunExport();
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "chuhe games: " << status.message() << "\n";
  return EXIT_FAILURE;
}

absl::Status GamesCommand::Visit(Judging judging, const GameVisitor& visitor) {
  bool goes_on = true;
  for (const std::string& path : paths_) {
    const GameVisitor counting = [&](const std::string& place,
                                     const absl::StatusOr<GameRecord>& game) {
      if (game.ok()) return goes_on = visitor(place, game);
      ++problems_;
      std::cerr << "chuhe games: " << game.status().message() << "\n";
      return true;
    };
    CHUHE_RETURN_IF_ERROR(VisitGames(path, judging, counting));
    if (!goes_on) break;
  }
  return absl::OkStatus();
}

absl::Status GamesCommand::Problems() const {
  if (problems_ == 0) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(problems_, problems_ == 1 ? " fault" : " faults"));
}

absl::Status GamesCommand::RunStats() {
  GameStatistics statistics;
  CHUHE_RETURN_IF_ERROR(Visit(Judging::kTrust, [&](const std::string&, const auto& game) {
    statistics.Add(*game);
    return true;
  }));
  std::cout << (json_ ? StatisticsJson(statistics) : StatisticsText(statistics));
  return Problems();
}

absl::Status GamesCommand::RunShow() {
  int64_t count = 0;
  CHUHE_RETURN_IF_ERROR(Visit(Judging::kTrust, [&](const std::string& place, const auto& game) {
    if (++count < number_) return true;
    std::cout << place << "\n" << GameText(*game, NotationNamed(to_).value_or(Notation::kUci));
    return false;
  }));
  if (count == number_) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("--game ", number_, ": there are ", count));
}

absl::Status GamesCommand::RunVerify() {
  int64_t count = 0;
  CHUHE_RETURN_IF_ERROR(Visit(Judging::kRejudge, [&](const std::string&, const auto&) {
    ++count;
    return true;
  }));
  std::cout << count << " good games, " << problems_ << (problems_ == 1 ? " fault" : " faults")
            << "\n";
  return Problems();
}

absl::Status GamesCommand::RunExport() {
  std::ofstream file;
  if (!out_.empty()) {
    file.open(out_, std::ios::binary | std::ios::trunc);
    if (!file) return absl::UnavailableError(absl::StrCat(out_, ": cannot be written"));
  }
  std::ostream& out = out_.empty() ? std::cout : file;
  const Notation notation = NotationNamed(notation_).value_or(Notation::kIccs);
  CHUHE_RETURN_IF_ERROR(Visit(Judging::kTrust, [&](const std::string&, const auto& game) {
    out << WritePgn(PgnOf(*game), notation);
    return static_cast<bool>(out);
  }));
  if (!out.flush()) return absl::UnavailableError(absl::StrCat(out_, ": cannot be written"));
  return Problems();
}

}  // namespace chuhe
