// Text of unknown encoding as UTF-8: what game files come in.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace chuhe {

// A byte order mark decides, then whether the bytes are valid UTF-8. Else they are read as GB18030
// and as Big5, and the reading with more Chinese moves wins; with equally many, GB18030. Bytes that
// mean nothing in it become U+FFFD. No byte order mark is left.
std::string ToUtf8(absl::string_view bytes);

}  // namespace chuhe
