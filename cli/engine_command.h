// `chuhe engine`, and `chuhe` alone: the engine as GUIs start it, speaking UCCI or UCI.
#pragma once

#include "cli/command.h"

namespace chuhe {

class EngineCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;
};

}  // namespace chuhe
