// What low precision does to all positions alike. Errors of single weights and levels are noise,
// but their means are not: each channel that the value head sums over the whole board is off a
// little in one direction, ninety times. The mean can be measured and taken away (Nagel and others,
// "Data-free quantization through weight equalization and bias correction", 2019, section 4.2).
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "nets/onednn/packed_network.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// The network in a precision below fp32, with the biases of the value's hidden layer corrected so
// that over some positions of random games their sums are those of fp32 on average. Takes as long
// as evaluating those positions in both. Errors are those of PackedNetwork::Make().
absl::StatusOr<std::shared_ptr<const PackedNetwork>> MakeWithoutShift(const NetworkWeights& network,
                                                                      CpuPrecision precision);

}  // namespace chuhe
