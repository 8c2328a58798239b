#include "cli/network_location.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace chuhe {
namespace {

namespace fs = std::filesystem;

constexpr char kName[] = "default.safetensors";
constexpr int kFoldersAbove = 3;

// The program's folder; empty where the system does not tell.
fs::path ProgramFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path();
}

}  // namespace

std::optional<std::string> FindDefaultNetwork() {
  std::error_code error;
  if (const char* const named = std::getenv("CHUHE_NET"); named != nullptr && *named != '\0') {
    return std::string(named) == "none" ? std::nullopt : std::optional<std::string>(named);
  }
  fs::path folder = ProgramFolder();
  if (folder.empty()) return std::nullopt;
  const fs::path installed = folder.parent_path() / "share" / "chuhe" / kName;
  if (fs::is_regular_file(installed, error)) return installed.string();
  for (int i = 0; i <= kFoldersAbove; ++i, folder = folder.parent_path()) {
    const fs::path file = folder / "nets" / "weights" / kName;
    if (fs::is_regular_file(file, error)) return file.string();
  }
  return std::nullopt;
}

}  // namespace chuhe
