// `chuhe train`: supervised training of a network on files of games.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/base/options.h"
#include "train/supervised_run.h"

namespace chuhe {

class TrainCommand : public Command {
 public:
  TrainCommand();
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  absl::Status Prepare();
  void ShowProgress(const RunProgress& progress) const;

  SupervisedRunOptions options_;
  int64_t seed_ = 1;
  OptionTable table_;
  std::string config_;
  std::vector<std::string> settings_;
  bool json_ = false;
};

}  // namespace chuhe
