// The one way in which CUDA's return codes are looked at.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

#include "nets/cuda/api.h"

namespace chuhe {

// True when the call succeeded; else writes `CALL: REASON (CUDA error N)` to error[kCudaTextSize].
[[nodiscard]] inline bool CudaSucceeded(cudaError_t code, const char* call, char* error) {
  if (code == cudaSuccess) {
    return true;
  }
  std::snprintf(error, kCudaTextSize, "%s: %s (CUDA error %d)", call, cudaGetErrorString(code),
                static_cast<int>(code));
  return false;
}

}  // namespace chuhe
