// `chuhe judge`: what the rules say about a game, or about every game of a table of cases.
#pragma once

#include <string>

#include "cli/command.h"

namespace chuhe {

class JudgeCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  int RunCase() const;
  int RunTable() const;

  std::string rules_ = "computer";
  std::string fen_;
  std::string moves_;
  std::string cases_file_;
};

}  // namespace chuhe
