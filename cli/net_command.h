// `chuhe net`: makes network files, shows what is in them and checks them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/command.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

class NetCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  // Each is a subcommand.
  void RegisterInit(CLI::App& net);
  void RegisterGrow(CLI::App& net);
  void RegisterInfo(CLI::App& net);
  void RegisterVerify(CLI::App& net);
  // Options of what writes a network.
  void AddOutput(CLI::App& command);
  absl::Status RunInit() const;
  absl::Status RunGrow() const;
  // Calibrates the network, writes it and prints its name.
  absl::Status Write(NetworkWeights network) const;
  absl::Status RunInfo() const;
  absl::Status RunVerify() const;

  CLI::App* init_ = nullptr;
  CLI::App* grow_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* verify_ = nullptr;

  std::string size_;
  std::vector<int> global_blocks_;
  uint64_t seed_ = 0;
  std::string rules_ = "computer";
  std::string note_;
  std::string out_;
  bool fp16_ = false;
  bool force_ = false;

  std::string file_;
  bool json_ = false;
  std::string sha256_;
};

}  // namespace chuhe
