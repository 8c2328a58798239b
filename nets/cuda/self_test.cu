#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#include "nets/cuda/api.h"
#include "nets/cuda/check.h"
#include "nets/cuda/self_test.h"

namespace chuhe {
namespace {

__global__ void FillSelfTest(uint32_t* values, int size) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < size) {
    values[index] = SelfTestValue(static_cast<uint32_t>(index));
  }
}

// Fills `values` on the current device.
bool ComputeOnDevice(uint32_t* device_values, std::vector<uint32_t>* values, char* error) {
  constexpr int kThreads = 256;
  const int size = static_cast<int>(values->size());
  FillSelfTest<<<(size + kThreads - 1) / kThreads, kThreads>>>(device_values, size);
  return CudaSucceeded(cudaGetLastError(), "launch of the self-test kernel", error) &&
         CudaSucceeded(cudaMemcpy(values->data(), device_values, size * sizeof(uint32_t),
                                  cudaMemcpyDeviceToHost),
                       "cudaMemcpy", error);
}

}  // namespace

int chuhe_cuda_self_test(int device, char* error) {
  std::vector<uint32_t> values(kSelfTestSize);
  uint32_t* device_values = nullptr;
  if (!CudaSucceeded(cudaSetDevice(device), "cudaSetDevice", error) ||
      !CudaSucceeded(cudaMalloc(&device_values, values.size() * sizeof(uint32_t)), "cudaMalloc",
                     error)) {
    return -1;
  }
  const bool computed = ComputeOnDevice(device_values, &values, error);
  if (!CudaSucceeded(cudaFree(device_values), "cudaFree", error) || !computed) {
    return -1;
  }
  for (uint32_t i = 0; i < values.size(); ++i) {
    if (values[i] != SelfTestValue(i)) {
      std::snprintf(error, kCudaTextSize, "self-test: element %u is %u, expected %u", i, values[i],
                    SelfTestValue(i));
      return -1;
    }
  }
  return 0;
}

}  // namespace chuhe
