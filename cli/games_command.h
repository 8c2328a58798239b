// `chuhe games`: what is in game records, tables and PGN files, and turning them into PGN.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/command.h"
#include "engine/rules/notation/notation.h"
#include "selfplay/store/game_files.h"

namespace chuhe {

class GamesCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  // Each is a subcommand.
  void RegisterStats(CLI::App& games);
  void RegisterShow(CLI::App& games);
  void RegisterVerify(CLI::App& games);
  void RegisterExport(CLI::App& games);
  absl::Status RunStats();
  absl::Status RunShow();
  absl::Status RunVerify();
  absl::Status RunExport();

  // Shows the games of all paths. What cannot be read is named on stderr and counted.
  absl::Status Visit(Judging judging, const GameVisitor& visitor);
  // An error if there was something that could not be read.
  absl::Status Problems() const;

  CLI::App* stats_ = nullptr;
  CLI::App* show_ = nullptr;
  CLI::App* verify_ = nullptr;
  CLI::App* export_ = nullptr;

  std::vector<std::string> paths_;
  bool json_ = false;
  int64_t number_ = 1;
  std::string to_ = "uci";
  std::string notation_ = "iccs";
  std::string out_;
  int64_t problems_ = 0;
};

}  // namespace chuhe
