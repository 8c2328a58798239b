// Files that are there whole or not at all.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// Writes the file aside, syncs and renames it. Errors name the path.
absl::Status WriteFileSafely(const std::string& path, absl::string_view text);

}  // namespace chuhe
