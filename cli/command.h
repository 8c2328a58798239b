// A subcommand of `chuhe`: its options and what it does.
#pragma once

#include "CLI/CLI.hpp"

namespace chuhe {

// Owned by main(), which registers every command and runs the one that was named. A command is a
// class so that its options are members and its steps are methods.
class Command {
 public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  // Adds one CLI11 subcommand with its options, which fill members of this object, and a footer
  // with an example.
  virtual void Register(CLI::App& app) = 0;

  // Does the work, once the options are filled. Returns the exit status: 0 only on success; errors
  // are on stderr by then.
  virtual int Run() = 0;
};

}  // namespace chuhe
