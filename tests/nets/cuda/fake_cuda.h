// CUDA's runtime and cuDNN as far as nets/cuda uses them, on the CPU, so that everything there but
// the kernels' launches runs in a test without a GPU: memory, streams, capture, descriptors.
//
// Work is done only when somebody waits for it. What CUDA forbids fails: waiting or allocating
// while a capture goes on, a workspace that is too small, tensors that do not fit each other.
#pragma once

#include <cuda_runtime.h>

#include <functional>

namespace chuhe {

// Puts work on the stream, or into the graph that is being captured from it.
void Enqueue(cudaStream_t stream, std::function<void()> work);

}  // namespace chuhe

extern "C" {

// Memory, streams, descriptors and so on that were not given back.
__attribute__((visibility("default"))) int fake_cuda_live_objects();

// The call of that number from now on, counted from 1, fails; 0 for none. Returns how many calls
// that can fail were made since this was called last.
__attribute__((visibility("default"))) int fake_cuda_fail_call(int number);

}  // extern "C"
