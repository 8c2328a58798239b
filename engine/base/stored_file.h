// Whole files in and out of memory, so that what is on disk is always one whole file.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// All bytes of a regular file of at most `max_bytes`. Errors name the path.
absl::StatusOr<std::string> ReadStoredFile(const std::string& path, size_t max_bytes);

// Writes a file beside `path`, brings it to the disk and gives it the name, in place of a regular
// file that was there. After an error or a crash `path` is what it was; a crash may leave the file
// beside it, whose name ends in `.new` and a number. Blocks until the disk has it.
absl::Status WriteStoredFile(const std::string& path, absl::string_view bytes);

}  // namespace chuhe
