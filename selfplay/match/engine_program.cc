#include "selfplay/match/engine_program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/command_words.h"

namespace chuhe {
namespace {

namespace fs = std::filesystem;

// Where posix_spawnp() looks when there is no PATH.
constexpr const char* kUsualPath = "/bin:/usr/bin";

bool IsProgram(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

absl::Status CheckEngineProgram(const EngineSpec& engine) {
  if (engine.protocol == EngineProtocol::kBuiltin) return absl::OkStatus();
  CHUHE_ASSIGN_OR_RETURN(const std::vector<std::string> words, SplitCommand(engine.command));
  if (words.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("engine ", engine.name, ": no program to start; expected cmd=PROGRAM"));
  }
  const std::string& program = words[0];
  std::error_code error;
  if (!engine.directory.empty() && !fs::is_directory(engine.directory, error)) {
    return absl::NotFoundError(
        absl::StrCat("engine ", engine.name, ": no such directory: ", engine.directory));
  }
  // A relative name is looked up where the engine runs, also one of PATH.
  const fs::path here = engine.directory;
  if (program.find('/') != std::string::npos) {
    if (IsProgram(here / program)) return absl::OkStatus();
    return absl::NotFoundError(
        absl::StrCat("engine ", engine.name, ": ", program, " is no program that can be started"));
  }
  const char* const path = std::getenv("PATH");
  const std::vector<std::string> folders = absl::StrSplit(path == nullptr ? kUsualPath : path, ':');
  const bool is_found = std::any_of(folders.begin(), folders.end(), [&](const auto& folder) {
    return IsProgram(here / folder / program);
  });
  if (is_found) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("engine ", engine.name, ": no program ", program,
                                          " in the folders of PATH; give its whole path"));
}

}  // namespace chuhe
