// Files that are whole or not there: magic, length and checksum around a block of bytes, written
// aside and renamed.
//
//   8 bytes magic │ 8 bytes length │ 8 bytes XXH3-64 of the content │ content     (little-endian)
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// `magic` has 8 characters. The file and its folder are synced before this returns.
absl::Status WriteSealedFile(const std::string& path, absl::string_view magic,
                             absl::string_view content);

// The content. Errors: another magic, a truncated or changed file.
absl::StatusOr<std::string> ReadSealedFile(const std::string& path, absl::string_view magic);

}  // namespace chuhe
