// `chuhe perft`: counts legal move sequences, the test and speed measure of the move generator.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command.h"
#include "engine/board/fen.h"
#include "engine/board/position.h"

namespace chuhe {

class PerftCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  // Prints a line per root move; returns the sum.
  uint64_t Divide(Position position) const;

  int depth_ = 0;
  std::string fen_{kStartFen};
  bool divide_ = false;
  bool no_bulk_ = false;
};

}  // namespace chuhe
