// Text from outside in error messages.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace chuhe {

// In single quotes, with what is not printable escaped and cut where it is long.
std::string Quoted(absl::string_view text);

}  // namespace chuhe
