// `chuhe loop`: self-play, training and ladder, generation after generation.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/command.h"
#include "cli/run_settings.h"
#include "train/loop/loop.h"

namespace chuhe {

class LoopCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  absl::Status Prepare();
  LoopSink MakeSink();
  void ShowGeneration(const std::vector<Generation>& generations,
                      const std::vector<LadderRating>& ratings);
  void ShowEnd() const;

  RunSettings settings_;
  std::string config_;
  std::vector<std::string> changes_;
  bool document_ = false;
  bool json_ = false;

  // As last told by the loop.
  std::vector<Generation> generations_;
  std::vector<LadderRating> ratings_;
  bool has_head_ = false;  // the table's is printed
};

}  // namespace chuhe
