// Which network of a run is the present one: what its network.json says, by which self-play follows
// training.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace chuhe {

struct PresentNetwork {
  std::string sha256;
  std::string path;  // of the weights file
  std::string architecture;
  int64_t training_steps = 0;
};

// Of the run in `folder`. NotFound if it has none yet; other errors name the file and what was
// expected.
absl::StatusOr<PresentNetwork> ReadPresentNetwork(const std::string& folder);

// The path is not written: it follows from the SHA-256. Written aside and renamed.
absl::Status WritePresentNetwork(const std::string& folder, const PresentNetwork& network);

}  // namespace chuhe
