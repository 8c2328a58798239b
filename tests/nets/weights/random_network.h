// Networks with random numbers for tests.
#pragma once

#include <cstdint>
#include <string>

#include "nets/weights/network_weights.h"

namespace chuhe {

// The smallest network that files hold, with one global block of two.
Architecture SmallestArchitecture();

// Every number is a different one that 16 bits hold exactly; both optional groups are there and the
// origin is not the default.
NetworkWeights NetworkOfEverything(const Architecture& architecture, uint64_t seed = 1);

// The names of the tensors whose numbers differ, one a line. Numbers are compared bit by bit.
std::string DifferingTensors(const NetworkWeights& a, const NetworkWeights& b);

// Whether text of the origin and numbers of the architecture are the same.
bool HaveEqualMetadata(const NetworkWeights& a, const NetworkWeights& b);

}  // namespace chuhe
