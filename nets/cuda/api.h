// The C interface of libchuhe_cuda.so, the only library of ours that needs CUDA's.
//
// Plain types, so that both sides of dlopen() may be built by different compilers, and no CUDA
// header, so that the side that loads it (loader.h) builds anywhere.
#pragma once

#include <cstdint>

#if defined(_WIN32)
#define CHUHE_CUDA_EXPORT __declspec(dllexport)
#else
#define CHUHE_CUDA_EXPORT __attribute__((visibility("default")))
#endif

namespace chuhe {

// Rises with every change of what follows. A library with another number is refused.
constexpr int kCudaApiVersion = 1;

constexpr int kCudaTextSize = 256;

struct CudaApiDevice {
  char name[kCudaTextSize];  // ends in a zero
  uint64_t memory_bytes;
  int32_t compute_major;
  int32_t compute_minor;
};

// Each function but the version returns less than 0 where it fails and then writes the reason,
// which ends in a zero, to `error[kCudaTextSize]`.
extern "C" {

CHUHE_CUDA_EXPORT int chuhe_cuda_api_version();

// Describes up to `capacity` devices; returns how many there are.
CHUHE_CUDA_EXPORT int chuhe_cuda_list_devices(CudaApiDevice* devices, int capacity, char* error);

// Runs a small kernel on a device and compares what it computes with the CPU; returns 0 if equal.
CHUHE_CUDA_EXPORT int chuhe_cuda_self_test(int device, char* error);

}  // extern "C"

}  // namespace chuhe
