// The network as LibTorch trains it: the arithmetic of nets/weights/network_weights.h with batch
// norm after every convolution, and heads that exist only while it learns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nets/weights/architecture.h"
#include "torch/nn.h"

namespace chuhe {

struct TorchNetworkOptions {
  // Heads that no weights file holds: they make the tower learn more from the same games (Wu,
  // "Accelerating Self-Play Learning in Go", 2019, section 3.4 and appendix B).
  bool has_reply_head = true;
  bool has_short_term_head = true;
  bool has_survival_head = true;
  // Of the numbers that the network starts with.
  uint64_t seed = 0;
};

// What the network says about N positions, each from the view of its side to move. Logits, where
// nothing else is said; the tensors of heads that are switched off are undefined.
struct TorchNetworkOutput {
  torch::Tensor policy;      // [N, 2062] by PolicyIndex(SeenBy(side to move, move))
  torch::Tensor wdl;         // [N, 3] win, draw, loss
  torch::Tensor plies_left;  // [N] in plies, above 0

  // The opponent's answer to the move that is played here, seen by the opponent, whose moves these
  // are: [N, 2062] by PolicyIndex(SeenBy(opponent, reply)).
  torch::Tensor reply;
  // Win, draw, loss as they will be judged some plies later, still from the view of the side to
  // move of this position: [N, 3].
  torch::Tensor short_term_wdl;
  // Whether the man that stands on a point now will stay on the board for as long as the trainer's
  // target says: [N, 90], points as the side to move sees them; of no meaning on empty points.
  torch::Tensor survival;
};

// The parts are open to what reads and writes their weights (weights_conversion.h).

// A convolution without bias, of zero padding and same size, and its batch norm.
struct ConvNorm : torch::nn::Module {
  ConvNorm(int inputs, int outputs, int kernel);
  torch::Tensor Forward(const torch::Tensor& x);

  torch::nn::Conv2d conv{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
};

struct ResidualBlock : torch::nn::Module {
  ResidualBlock(int channels, bool is_global);
  torch::Tensor Forward(const torch::Tensor& x);

  std::shared_ptr<ConvNorm> conv1;
  std::shared_ptr<ConvNorm> conv2;
  torch::nn::Linear global{nullptr};  // null in other blocks
};

// From the tower to one logit for each of the policy's moves.
struct PolicyHead : torch::nn::Module {
  PolicyHead(int channels, int policy_channels);
  // `is_opponents`: the moves are those of the opponent, as the opponent sees them.
  torch::Tensor Forward(const torch::Tensor& x, bool is_opponents);

  std::shared_ptr<ConvNorm> conv;
  torch::nn::Linear from{nullptr};  // policy channels → shapes, with the bias
  torch::nn::Linear to{nullptr};
  torch::Tensor from_index;  // [2062] of point · shapes + shape
  torch::Tensor to_index;
};

// Owned by one thread. Copies of the usual PyTorch kind share their parts; to copy a network,
// export and import it.
class TorchNetwork : public torch::nn::Module {
 public:
  // Random numbers that depend on the seed alone. The architecture must be one that
  // CheckArchitecture() accepts.
  TorchNetwork(const Architecture& architecture, const TorchNetworkOptions& options);

  // `levels`: bytes [N, 90, 48] as ExpandPlanes() writes them, on the device where the network is.
  // As with all of torch's modules, eval() and train() say whether batch norm uses its averages,
  // gradients are recorded unless a guard forbids it, and what LibTorch throws (out of memory,
  // another device) passes through: the caller is a file that deals with LibTorch itself.
  TorchNetworkOutput Forward(const torch::Tensor& levels);

  const Architecture& architecture() const { return architecture_; }
  const TorchNetworkOptions& options() const { return options_; }

  std::shared_ptr<ConvNorm> stem;
  std::vector<std::shared_ptr<ResidualBlock>> blocks;
  std::shared_ptr<PolicyHead> policy;
  std::shared_ptr<ConvNorm> value_conv;
  torch::nn::Linear value_hidden{nullptr};
  torch::nn::Linear wdl{nullptr};
  torch::nn::Linear plies_left{nullptr};
  // Null where switched off.
  std::shared_ptr<PolicyHead> reply;
  torch::nn::Linear short_term_wdl{nullptr};
  torch::nn::Linear survival{nullptr};

 private:
  Architecture architecture_;
  TorchNetworkOptions options_;
};

// Bytes [N, 90, 48] as floats [N, 48, 10, 9] in channels-last order, 1.0 for kLevelOne.
torch::Tensor PlanesFromLevels(const torch::Tensor& levels);

}  // namespace chuhe
