// `chuhe analyze`: positions come as JSON lines, and so do the answers.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "cli/command.h"

namespace chuhe {

class AnalyzeCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  absl::Status Analyze() const;

  std::string network_;
  std::string device_ = "cpu";
  std::string precision_ = "auto";
  std::string rules_ = "computer";
  int threads_ = 0;
  int batch_size_ = 0;
  int memory_mb_ = 512;
  int max_active_ = 16;
};

}  // namespace chuhe
