// Between the network that trains and the numbers that play: batch norm is folded on the way out,
// and made again on the way in.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "nets/torch/network.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// The network as eval() computes it, with its NormStatistics and without calibration; the training
// heads stay behind. The origin is copied into it. Errors: a number that is not finite, by the
// name of its tensor. The network is not changed and may be on any device.
absl::StatusOr<NetworkWeights> ToWeights(const TorchNetwork& network, const NetworkOrigin& origin);

// A network, on the CPU, that computes the same in eval(). With NormStatistics its batch norms are
// as they were, but for a scale that moved between them and their convolutions. Without, the
// network is taken to be fresh: norms start as if every convolution's outputs had mean 0 and
// deviation 1, those of a block's second one kFreshResidualScale. The training heads are new, from
// options.seed. Errors: weights that are not of the architecture's shapes, and a feature set that
// is not ours.
absl::StatusOr<std::shared_ptr<TorchNetwork>> FromWeights(const NetworkWeights& weights,
                                                          const TorchNetworkOptions& options);

// Whether the weights have the shapes of their architecture and the feature set of this program, so
// that torch can be handed them.
absl::Status CheckShapes(const NetworkWeights& weights);

}  // namespace chuhe
