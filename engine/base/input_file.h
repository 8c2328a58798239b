// What people name to be read: files, and pipes such as /dev/stdin.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace chuhe {

// All bytes until the end. Errors name the path and what is wrong, a folder among them. Blocks for
// as long as a pipe does.
absl::StatusOr<std::string> ReadInputFile(const std::string& path);

}  // namespace chuhe
