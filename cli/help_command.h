// `chuhe help [COMMAND]`: the same text as --help.
#pragma once

#include <string>

#include "cli/command.h"

namespace chuhe {

class HelpCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  CLI::App* app_ = nullptr;
  std::string topic_;
};

}  // namespace chuhe
