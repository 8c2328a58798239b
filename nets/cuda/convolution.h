// The convolutions, by cuDNN: y = relu(conv(x) + bias), or relu(conv(x) + bias + y) in place, all
// channels-last.
//
// cudnnConvolutionBiasActivationForward is exactly these two forms, in kernels that lie ready in
// the library: fused for every GPU, with nothing compiled at run time as the graph interface's
// fusion engines do. The algorithm is always the implicit GEMM, which runs on tensor cores: what
// measurements at run time prefer may change between runs, and answers with it.
#pragma once

#include <cuda_runtime.h>
#include <cudnn.h>

#include <cstddef>
#include <memory>

#include "nets/cuda/network_layout.h"

namespace chuhe {

struct DestroyCudnn {
  void operator()(cudnnHandle_t handle) const;
};

// Owned by one thread.
class Convolutions {
 public:
  // For the current device. fp32 is computed without tensor cores, which would round to TF32.
  bool Create(bool half_precision, char* error);

  // Sets `*bytes` to the workspace that a convolution of so many positions needs, if that is more.
  bool RaiseWorkspace(const ConvolutionPlace& place, int rows, size_t* bytes, char* error) const;

  struct Operands {
    const void* x;
    const void* weight;
    const void* bias;
    void* y;
    bool add_y;
    void* workspace;
    size_t workspace_bytes;
  };
  // Enqueues it; the device's memory must stay as long as work is under way or captured.
  bool Run(const ConvolutionPlace& place, int rows, const Operands& operands, cudaStream_t stream,
           char* error) const;

 private:
  std::unique_ptr<cudnnContext, DestroyCudnn> handle_;
  bool half_precision_ = false;
};

}  // namespace chuhe
