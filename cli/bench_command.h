// `chuhe bench`: how fast search and network are on this machine.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/command.h"

namespace chuhe {

class BenchCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  absl::Status Bench() const;

  std::string network_;
  std::string device_ = "cpu";
  std::string precision_ = "auto";
  std::vector<int> batches_ = {1, 8, 32, 128, 256};
  int rounds_ = 5;
  double seconds_ = 0.2;
  bool json_ = false;
};

}  // namespace chuhe
