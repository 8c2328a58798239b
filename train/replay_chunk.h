// What the next steps learn from, on disk before the first of them, so that steps which were lost
// with a killed process are made again with the same batches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "train/replay_window.h"

namespace chuhe {

struct ReplayChunk {
  int64_t first_step = 0;  // steps that were done before it
  int64_t end_step = 0;    // steps that are done behind it
  WindowBounds window;
  double samples_paid = 0;  // and not yet drawn before its first step

  friend bool operator==(const ReplayChunk&, const ReplayChunk&) = default;
};

// Durable when this returns.
absl::Status WriteReplayChunk(const ReplayChunk& chunk, const std::string& path);
// Nothing if there is no such file. Errors name the file.
absl::StatusOr<std::optional<ReplayChunk>> ReadReplayChunk(const std::string& path);

}  // namespace chuhe
