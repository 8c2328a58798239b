// `chuhe train`: training of a network, on files of games or on the games of self-play.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/base/options.h"
#include "train/replay_run.h"
#include "train/supervised_run.h"

namespace chuhe {

class TrainCommand : public Command {
 public:
  TrainCommand();
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  bool is_supervised() const { return !supervised_.game_files.empty(); }
  absl::Status Prepare();
  absl::Status Train();
  void ShowProgress(const RunProgress& progress) const;
  void ShowMessage(const std::string& message) const;

  // What both kinds of training share is kept in `replay_`, and copied from there.
  ReplayRunOptions replay_;
  SupervisedRunOptions supervised_;
  int64_t seed_ = 1;
  OptionTable table_;
  std::string config_;
  std::vector<std::string> settings_;
  bool json_ = false;
};

}  // namespace chuhe
