#include "cli/engine_command.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cli/build_info.h"
#include "cli/console.h"
#include "engine/protocol/session.h"
#include "engine/search/alphabeta.h"

namespace chuhe {
namespace {

absl::StatusOr<MadeSearcher> MakeSearcher(const SearcherOptions& options) {
  AlphaBetaOptions alphabeta;
  if (options.hash_mb > 0) {
    alphabeta.hash_bytes = static_cast<size_t>(options.hash_mb) << 20;
  }
  MadeSearcher made;
  try {
    made.searcher = std::make_unique<AlphaBetaSearcher>(alphabeta);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        absl::StrCat("not enough memory for a hash of ", options.hash_mb, " MB"));
  }
  made.notices.emplace_back("no network found, playing the built-in alpha-beta");
  return made;
}

}  // namespace

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
