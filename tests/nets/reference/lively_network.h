// Random networks that answer boldly, for comparing evaluators with each other.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/eval/evaluator.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// As InitialNetwork() makes it, but with heads as strong as a trained network's and biases that are
// not zero.
NetworkWeights LivelyNetwork(const Architecture& architecture, uint64_t seed);

// Questions from games of random moves, with their legal moves; both sides to move occur.
std::vector<EvaluationRequest> RandomRequests(int count, uint64_t seed);

}  // namespace chuhe
