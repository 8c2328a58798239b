#include "cli/engine_command.h"

#include <cstdlib>
#include <iostream>

#include "cli/build_info.h"
#include "cli/console.h"
#include "cli/network_searcher.h"
#include "engine/protocol/session.h"

namespace chuhe {

void EngineCommand::Register(CLI::App& app) {
  CLI::App* engine = app.add_subcommand(
      "engine", "Be an engine for a GUI: UCCI or UCI on standard input and output");
  engine->footer(
      "The same as `chuhe` without a command. The first line, `ucci` or `uci`, chooses the "
      "protocol; options are set by the GUI.\n"
      "Example: printf 'ucci\\nsetoption batch true\\ngo depth 6\\n' | chuhe engine");
}

int EngineCommand::Run() {
  Console console;
  Session session({.name = "Chuhe", .version = kVersion, .author = "the Chuhe developers"},
                  MakeSearcher, &console, &console);
  session.Run();
  if (console.output_is_gone()) {
    std::cerr << "chuhe: could not write to standard output\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
