// Remembers from one run of the program to the next which precision is the fastest.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "nets/onednn/cpu_precision.h"

namespace chuhe {

// $XDG_CACHE_HOME/chuhe, else ~/.cache/chuhe; empty if neither variable is set.
std::string DefaultCacheFolder();

// One small text file for each question in a folder. Nothing here is an error: what cannot be read,
// or reads otherwise than it was written, is not remembered, and what cannot be written is not
// kept. Immutable, thread-safe, also between programs.
class PrecisionCache {
 public:
  // An empty folder remembers nothing.
  explicit PrecisionCache(std::string folder) : folder_(std::move(folder)) {}

  // `question` is one line that says what was measured, on which CPU.
  std::optional<CpuPrecision> Recall(absl::string_view question) const;
  void Remember(absl::string_view question, CpuPrecision answer) const;

  // The file of a question.
  std::string PathOf(absl::string_view question) const;

 private:
  std::string folder_;
};

}  // namespace chuhe
