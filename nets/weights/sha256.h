// SHA-256 in hex digits: the names of networks.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace chuhe {

// 64 lower-case hex digits.
std::string Sha256Hex(absl::string_view bytes);

// Whether the text could be one: 64 hex digits in any letter case.
bool IsSha256Hex(absl::string_view text);

}  // namespace chuhe
