// The network of nets/weights/network_weights.h in LibTorch's operators, fp32, for inference on any
// device, and its form that is compiled for one batch size on the CPU.
#pragma once

#include <memory>
#include <vector>

#include "ATen/core/Tensor.h"
#include "nets/weights/network_weights.h"

namespace torch::jit {
struct GraphFunction;
}  // namespace torch::jit

namespace chuhe {

// Immutable; threads may share it. What LibTorch throws passes through.
class FoldedNetwork {
 public:
  struct Output {
    // [N, 90, 2, 50]: by point and shape, what leaving the point and what arriving there adds to
    // the logit of a move; the bias is in the former.
    at::Tensor moves;
    at::Tensor value;  // [N, 4]: logits of win, draw, loss; plies left before its softplus
  };

  // The weights must have the shapes of their architecture.
  FoldedNetwork(const NetworkWeights& weights, at::Device device);

  // `levels`: bytes [N, 90, 48] on the network's device. The operators do not depend on the values,
  // so it can be traced.
  Output Forward(const at::Tensor& levels) const;

 private:
  struct Layer {
    at::Tensor weight;
    at::Tensor bias;  // undefined where there is none
  };
  struct Block {
    Layer conv1;
    Layer conv2;
    Layer global;  // weight undefined in other blocks
  };

  Layer stem_;
  std::vector<Block> blocks_;
  Layer policy_conv_;
  Layer policy_moves_;  // policy channels → 2 · shapes
  Layer value_conv_;
  Layer value_hidden_;
  Layer value_out_;
};

// A folded network on the CPU for exactly `batch` positions at a time: traced, and compiled by
// TorchScript's oneDNN graph fuser, which prepares weights and kernels once and fuses each
// convolution with its bias, residual sum and ReLU. The results are those of the folded network but
// for rounding. Owned by one thread. What LibTorch throws passes through.
//
// The fuser is a switch of the process, which the first such object turns on for all TorchScript in
// it; nothing else of ours uses TorchScript.
class CompiledNetwork {
 public:
  // Compiles: about 0.1 s, and as long as some evaluations take.
  CompiledNetwork(const FoldedNetwork& network, int batch);
  ~CompiledNetwork();
  CompiledNetwork(CompiledNetwork&&) noexcept;
  CompiledNetwork& operator=(CompiledNetwork&&) noexcept;

  int batch() const { return static_cast<int>(levels_.size(0)); }
  // Where the input planes go: bytes [batch, 90, 48].
  uint8_t* levels() { return levels_.mutable_data_ptr<uint8_t>(); }
  FoldedNetwork::Output Run();

 private:
  at::Tensor levels_;
  std::unique_ptr<torch::jit::GraphFunction> function_;
};

}  // namespace chuhe
