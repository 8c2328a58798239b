// `chuhe version`: what this build is and which devices it reaches; the first thing to ask for in a
// report of a fault.
#pragma once

#include "cli/command.h"

namespace chuhe {

class VersionCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  bool json_ = false;
};

}  // namespace chuhe
