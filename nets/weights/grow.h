// A larger network that computes what a smaller one does, to go on learning from there.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "nets/weights/architecture.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// A network of `blocks` × `channels` that answers as `network` does, but for rounding (the idea of
// Chen, Goodfellow, Shlens, "Net2Net", 2016; theirs doubles channels, these are fresh). Its blocks
// are spread evenly among the new ones. What is new has the random numbers of InitialNetwork() for
// the seed, and nothing of the old reads it: those weights are 0, and learn from the first step on.
// New blocks add nothing to the old channels.
//
// Global blocks stay global; new ones are not. Norms are there if the old network has them, no
// calibration is; the origin is copied. Errors: a size that is not the network's or larger in both
// directions, or that the program does not handle.
absl::StatusOr<NetworkWeights> GrowNetwork(const NetworkWeights& network, int blocks, int channels,
                                           uint64_t seed);

}  // namespace chuhe
