// The one way in which CUDA's and cuDNN's return codes are looked at.
#pragma once

#include <cuda_runtime.h>
#include <cudnn.h>

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

// The same of cuDNN.
[[nodiscard]] inline bool CudaSucceeded(cudnnStatus_t code, const char* call, char* error) {
  if (code == CUDNN_STATUS_SUCCESS) {
    return true;
  }
  std::snprintf(error, kCudaTextSize, "%s: %s (cuDNN error %d)", call, cudnnGetErrorString(code),
                static_cast<int>(code));
  return false;
}

}  // namespace chuhe

// Makes the call; where it fails, writes why to `error` and returns false.
#define CHUHE_CUDA_CALL(function, ...)                                      \
  do {                                                                      \
    if (!::chuhe::CudaSucceeded(function(__VA_ARGS__), #function, error)) { \
      return false;                                                         \
    }                                                                       \
  } while (false)
