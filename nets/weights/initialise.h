// The numbers of a network before it has learnt anything.
#pragma once

#include <cstdint>

#include "nets/weights/network_weights.h"

namespace chuhe {

// What batch norm multiplies the second convolution of a fresh block by: blocks begin nearly as
// identities (Goyal et al., "Accurate, Large Minibatch SGD", 2017, section 5.1, who take 0; a
// little more lets every weight learn from the first step on). docs/decisions.md says what it is
// worth.
constexpr double kFreshResidualScale = 0.01;

// Random numbers of the sizes that training starts well from, the same for a seed on every machine;
// not calibrated. Biases are 0, except that games are expected to last 60 more plies.
//
// Layers before a ReLU keep the mean square of what passes through them (He et al., "Delving deep
// into rectifiers", 2015, eq. 10). The second convolution of a block is smaller, so that all blocks
// together add about as much as came in (the idea of Zhang, Dauphin, Ma, "Fixup initialization",
// 2019). The last layers of the heads are small: all moves are about as likely, and so are win,
// draw and loss.
//
// The architecture must be one that CheckArchitecture accepts.
NetworkWeights InitialNetwork(const Architecture& architecture, uint64_t seed);

}  // namespace chuhe
