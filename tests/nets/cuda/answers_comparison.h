// Networks and comparisons for the tests of the CUDA evaluator.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/eval/evaluator.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// Random numbers of sizes that keep activations and answers in a trained network's range: priors
// far from equal, outcomes far from even. Biases are not zero.
NetworkWeights LivelyNetwork(const Architecture& architecture, uint64_t seed);

// The largest differences between answers to the same questions.
struct Differences {
  float prior = 0;
  float wdl = 0;         // of win, draw or loss
  float plies_left = 0;  // relative to the expected one
};
Differences LargestDifferences(std::span<const EvaluationRequest> answers,
                               std::span<const EvaluationRequest> expected);
std::string ToText(const Differences& differences);

// What the differences may be.
//
// Sums in fp32 differ by their order alone. In half precision weights and activations are rounded
// to 11 bits: on the CPU that makes up to 0.0004, 0.0006 and 0.0013 for lively networks from 2×16
// to 10×128. A device sums in another order.
constexpr Differences kFloat32Tolerance = {.prior = 2e-5f, .wdl = 2e-5f, .plies_left = 2e-5f};
constexpr Differences kFloat16Tolerance = {.prior = 0.002f, .wdl = 0.003f, .plies_left = 0.005f};

// Fails the test where they are larger, or the answers are no probabilities.
void ExpectAnswersNear(std::span<const EvaluationRequest> answers,
                       std::span<const EvaluationRequest> expected, const Differences& tolerance);

}  // namespace chuhe
