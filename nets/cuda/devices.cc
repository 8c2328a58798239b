#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

#include "nets/cuda/api.h"
#include "nets/cuda/check.h"

namespace chuhe {

int chuhe_cuda_api_version() { return kCudaApiVersion; }

int chuhe_cuda_list_devices(CudaApiDevice* devices, int capacity, char* error) {
  int count = 0;
  if (!CudaSucceeded(cudaGetDeviceCount(&count), "cudaGetDeviceCount", error)) {
    return -1;
  }
  for (int i = 0; i < std::min(count, capacity); ++i) {
    cudaDeviceProp properties;
    if (!CudaSucceeded(cudaGetDeviceProperties(&properties, i), "cudaGetDeviceProperties", error)) {
      return -1;
    }
    CudaApiDevice& device = devices[i];
    std::snprintf(device.name, sizeof(device.name), "%s", properties.name);
    device.memory_bytes = properties.totalGlobalMem;
    device.compute_major = properties.major;
    device.compute_minor = properties.minor;
  }
  return count;
}

}  // namespace chuhe
