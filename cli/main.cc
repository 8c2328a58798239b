// The `chuhe` program: finds the command that was named and runs it.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "cli/analyze_command.h"
#include "cli/bench_command.h"
#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/engine_command.h"
#include "cli/games_command.h"
#include "cli/help_command.h"
#include "cli/judge_command.h"
#include "cli/match_command.h"
#include "cli/moves_command.h"
#include "cli/net_command.h"
#include "cli/perft_command.h"
#include "cli/selfplay_command.h"
#if CHUHE_WITH_TORCH
#include "cli/loop_command.h"
#include "cli/train_command.h"
#endif
#include "cli/version_command.h"

namespace chuhe {
namespace {

constexpr char kDescription[] = "Chuhe, a neural-network engine and trainer for xiangqi";

// The first one is what `chuhe` does when no command is named.
std::vector<std::unique_ptr<Command>> AllCommands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<EngineCommand>());
  commands.push_back(std::make_unique<AnalyzeCommand>());
  commands.push_back(std::make_unique<BenchCommand>());
  commands.push_back(std::make_unique<PerftCommand>());
  commands.push_back(std::make_unique<JudgeCommand>());
  commands.push_back(std::make_unique<MovesCommand>());
  commands.push_back(std::make_unique<MatchCommand>());
  commands.push_back(std::make_unique<GamesCommand>());
  commands.push_back(std::make_unique<NetCommand>());
  commands.push_back(std::make_unique<SelfPlayCommand>());
#if CHUHE_WITH_TORCH
  commands.push_back(std::make_unique<TrainCommand>());
  commands.push_back(std::make_unique<LoopCommand>());
#endif
  commands.push_back(std::make_unique<VersionCommand>());
  commands.push_back(std::make_unique<HelpCommand>());
  return commands;
}

// Answers written to a full disk or a closed pipe are no success.
bool FlushOutput() {
  const bool stream_ok = static_cast<bool>(std::cout.flush());
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && stream_ok;
}

// Prints what CLI11 has to say: help and version on stdout, errors on stderr.
int ReportParse(const CLI::App& app, const CLI::ParseError& error) {
  return app.exit(error, std::cout, std::cerr) == 0 && FlushOutput() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Dispatch(int argc, char** argv) {
  CLI::App app(kDescription, "chuhe");
  app.set_version_flag("--version", std::string("chuhe ") + kVersion + " (" + kRevision + ")");
  app.require_subcommand(0, 1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("chuhe: ") + error.what() + "\nTry `chuhe --help`.\n";
  });
  app.footer(
      "Without a command: the engine, for GUIs.\nExample: chuhe perft --depth 5\nOptions of a "
      "command: chuhe COMMAND --help");

  std::vector<std::unique_ptr<Command>> commands = AllCommands();
  std::vector<std::pair<CLI::App*, Command*>> entries;
  for (const std::unique_ptr<Command>& command : commands) {
    command->Register(app);
    entries.emplace_back(app.get_subcommands(nullptr).back(), command.get());
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ReportParse(app, error);
  }
  Command* named = commands.front().get();
  for (const auto& [subcommand, command] : entries) {
    if (subcommand->parsed()) {
      named = command;
    }
  }
  const int status = named->Run();
  if (!FlushOutput()) {
    std::cerr << "chuhe: could not write to standard output\n";
    return EXIT_FAILURE;
  }
  return status;
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  try {
    return chuhe::Dispatch(argc, argv);
  } catch (const std::exception& error) {
    // Ours does not throw; CLI11's set-up and the standard library (out of memory) can.
    std::cerr << "chuhe: " << error.what() << "\n";
    return EXIT_FAILURE;
  }
}
