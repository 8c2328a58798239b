#include "engine/base/input_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace chuhe {

absl::StatusOr<std::string> ReadInputFile(const std::string& path) {
  // Folders open as files do and seem to be empty.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": a folder, expected a file"));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int error = errno == 0 ? ENOENT : errno;
    return absl::Status(
        absl::ErrnoToStatusCode(error),
        absl::StrCat("cannot read ", path, ": ", std::generic_category().message(error)));
  }
  std::ostringstream bytes;
  // An empty file sets the stream's failbit, not the file's badbit.
  bytes << file.rdbuf();
  if (file.bad()) return absl::DataLossError(absl::StrCat("error while reading ", path));
  return std::move(bytes).str();
}

}  // namespace chuhe
