// What the fuzzer of network files checks, and what the test of its corpus repeats.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// Reads the bytes as a network file. What is read must be writable and then read as the same, else
// this aborts. Returns how reading went.
absl::Status CheckNetworkFile(absl::string_view bytes);

}  // namespace chuhe
