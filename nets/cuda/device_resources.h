// What CUDA hands out and wants back, each freed by its owner's destructor.
//
// A destructor has nobody to tell that giving back failed; it says so on standard error, as that
// means that the device is broken.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <type_traits>

#include "nets/cuda/check.h"

namespace chuhe {

template <typename Code>
void ReportFailure(Code code, const char* call) {
  char error[kCudaTextSize] = "";
  if (!CudaSucceeded(code, call, error)) {
    std::fprintf(stderr, "CUDA evaluator: %s\n", error);
  }
}

struct FreeDeviceMemory {
  void operator()(void* memory) const { ReportFailure(cudaFree(memory), "cudaFree"); }
};
struct FreePinnedMemory {
  void operator()(void* memory) const { ReportFailure(cudaFreeHost(memory), "cudaFreeHost"); }
};
struct DestroyStream {
  void operator()(cudaStream_t stream) const {
    ReportFailure(cudaStreamDestroy(stream), "cudaStreamDestroy");
  }
};
struct DestroyEvent {
  void operator()(cudaEvent_t event) const {
    ReportFailure(cudaEventDestroy(event), "cudaEventDestroy");
  }
};
struct DestroyGraph {
  void operator()(cudaGraph_t graph) const {
    ReportFailure(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
};
struct DestroyGraphExec {
  void operator()(cudaGraphExec_t exec) const {
    ReportFailure(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
  }
};

using DeviceMemory = std::unique_ptr<void, FreeDeviceMemory>;
using PinnedMemory = std::unique_ptr<void, FreePinnedMemory>;
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraphExec>;

// Memory of the current device, zeroed before anything that `stream` does from now on.
inline bool AllocateDevice(size_t bytes, cudaStream_t stream, DeviceMemory* memory, char* error) {
  void* pointer = nullptr;
  CHUHE_CUDA_CALL(cudaMalloc, &pointer, bytes);
  memory->reset(pointer);
  CHUHE_CUDA_CALL(cudaMemsetAsync, pointer, 0, bytes, stream);
  return true;
}

// Memory of the host that the device copies from and to by itself.
inline bool AllocatePinned(size_t bytes, PinnedMemory* memory, char* error) {
  void* pointer = nullptr;
  CHUHE_CUDA_CALL(cudaMallocHost, &pointer, bytes);
  memory->reset(pointer);
  return true;
}

// A stream of the current device that no other stream waits for.
inline bool CreateStream(Stream* result, char* error) {
  cudaStream_t stream = nullptr;
  CHUHE_CUDA_CALL(cudaStreamCreateWithFlags, &stream, cudaStreamNonBlocking);
  result->reset(stream);
  return true;
}

}  // namespace chuhe
