// Finds out what values pass between the layers of a network on given positions: what 8-bit
// evaluators scale by. It is done once, when a network is made, and stored in its file.
#pragma once

#include <span>

#include "absl/status/status.h"
#include "nets/features/packed_position.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// Runs the network in fp32 over the positions, at least one, and fills network->calibration. A few
// hundred positions like those of the games to come serve well. Works in the calling thread and
// takes as long as evaluating them. Errors are oneDNN's.
absl::Status Calibrate(NetworkWeights* network, std::span<const PackedPosition> positions);

}  // namespace chuhe
