// `chuhe train`: training of a network, on files of games or on the games of self-play.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/run_settings.h"
#include "train/run_report.h"

namespace chuhe {

class TrainCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  absl::Status Prepare();
  absl::Status Train();
  void ShowProgress(const RunProgress& progress) const;
  void ShowJson(const RunProgress& progress) const;

  RunSettings settings_;
  std::vector<std::string> game_files_;  // none: self-play
  std::string config_;
  std::vector<std::string> changes_;
  bool json_ = false;
};

}  // namespace chuhe
