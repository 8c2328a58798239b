// Training in two precisions (Micikevicius et al., "Mixed precision training", 2018): weights, sums
// and losses in floats, matrix products and convolutions in bfloat16, whose range needs no scaling
// of the loss.
#pragma once

#include "torch/types.h"

namespace chuhe {

// Whether a device of that kind multiplies in bfloat16 faster than in floats: GPUs, and processors
// with instructions for it (AVX-512 BF16 or AMX).
bool IsFastInMixedPrecision(torch::DeviceType device);

// While this lives, LibTorch's operators on the thread and that kind of device choose their
// precision by themselves. For the forward pass: the backward pass follows it.
class MixedPrecision {
 public:
  MixedPrecision(torch::DeviceType device, bool is_on);
  MixedPrecision(const MixedPrecision&) = delete;
  MixedPrecision& operator=(const MixedPrecision&) = delete;
  ~MixedPrecision();

 private:
  const torch::DeviceType device_;
  const bool is_on_;
};

}  // namespace chuhe
