// What the fuzzer of game records checks, and what the test of its corpus repeats.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// Reads the bytes as a game record, with the judge. What is read must be writable and then read as
// the same, else this aborts. Returns how reading went.
absl::Status CheckGameRecord(absl::string_view bytes);

}  // namespace chuhe
