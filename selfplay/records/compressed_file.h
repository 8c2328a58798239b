// Whole files, compressed with zstd or not.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace chuhe {

// The file's bytes, decompressed if its name ends in .zst. At most 4 GiB, so that a hostile file
// cannot fill the memory.
absl::StatusOr<std::string> ReadMaybeCompressed(const std::string& path);

}  // namespace chuhe
