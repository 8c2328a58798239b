// `chuhe moves`: reads move text of any notation and writes the moves in one.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/command.h"
#include "engine/board/position.h"
#include "engine/rules/notation/notation.h"

namespace chuhe {

class MovesCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  // The moves of one text from the given start as one line.
  absl::StatusOr<std::string> Convert(const Position& start, std::string_view text) const;
  // A line of --lines: `TEXT`, or `FEN<tab>TEXT`.
  absl::StatusOr<std::string> ConvertLine(const Position& start, std::string_view line) const;
  int RunLines(const Position& start, std::istream& in) const;

  CLI::Option* fen_option_ = nullptr;
  std::string fen_;
  std::string to_ = "uci";
  bool lines_ = false;
  std::vector<std::string> texts_;
  Notation notation_ = Notation::kUci;
};

}  // namespace chuhe
