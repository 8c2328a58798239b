// A command line cut into words, without a shell.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// Blanks separate words; '…' and "…" keep them together, a backslash keeps the next character (not
// between single quotes). Nothing is expanded. An unclosed quote is an error.
absl::StatusOr<std::vector<std::string>> SplitCommand(absl::string_view command);

}  // namespace chuhe
