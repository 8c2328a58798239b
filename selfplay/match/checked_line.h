// A line of text with its checksum before it, as journals are made of:
//
//   checksum (16 hex digits) ' ' text '\n'
//
// The checksum (FNV-1a of 64 bits) finds what a disk or an editor did, not what a forger does.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// With the line's end. The text has none of its own.
std::string CheckedLine(absl::string_view text);

// The text of a line, which is given without its end; none if it is damaged.
std::optional<absl::string_view> CheckedText(absl::string_view line);

// Writes all of it to a file descriptor; blocks. Errors name the path.
absl::Status WriteAll(const std::string& path, int fd, absl::string_view bytes);

}  // namespace chuhe
