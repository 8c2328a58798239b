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

// Rises with every change of what follows, and of what both sides take from network_layout.h,
// batch_layout.h and batch_buckets.h. A library with another number is refused.
constexpr int kCudaApiVersion = 2;

constexpr int kCudaTextSize = 256;

struct CudaApiDevice {
  char name[kCudaTextSize];  // ends in a zero
  uint64_t memory_bytes;
  int32_t compute_major;
  int32_t compute_minor;
};

// What a network looks like; numbers as in nets/weights/architecture.h.
struct CudaApiShape {
  int32_t blocks;
  int32_t channels;
  int32_t policy_channels;
  int32_t value_channels;
  int32_t value_hidden;
  int32_t half_precision;  // 1: fp16, 0: fp32
  int32_t global_block_count;
  const int32_t* global_blocks;
};

// A network on one device, with staging memory for batches. Used by one thread at a time; several
// evaluators, on one device or more, may be used by several threads.
struct CudaApiEvaluator;

// How many batches an evaluator holds at once, each in a slot of its own.
constexpr int kCudaSlots = 2;

// Each function that returns an int, but the version, returns less than 0 where it fails and then
// writes the reason, which ends in a zero, to `error[kCudaTextSize]`.
extern "C" {

CHUHE_CUDA_EXPORT int chuhe_cuda_api_version();

// Describes up to `capacity` devices; returns how many there are.
CHUHE_CUDA_EXPORT int chuhe_cuda_list_devices(CudaApiDevice* devices, int capacity, char* error);

// Runs a small kernel on a device and compares what it computes with the CPU; returns 0 if equal.
CHUHE_CUDA_EXPORT int chuhe_cuda_self_test(int device, char* error);

// Copies a network to a device and makes ready to evaluate batches of up to `max_batch` positions.
// `data` is the network as network_layout.h lays it out, and `bytes` long. Returns 0 and writes
// `*evaluator`.
CHUHE_CUDA_EXPORT int chuhe_cuda_create(const CudaApiShape* shape, const void* data, uint64_t bytes,
                                        int device, int max_batch, CudaApiEvaluator** evaluator,
                                        char* error);

// Waits for what is under way and frees everything.
CHUHE_CUDA_EXPORT void chuhe_cuda_destroy(CudaApiEvaluator* evaluator);

// Where the caller writes a batch, and where it then finds the answers: batch_layout.h. Not to be
// touched between submit and wait.
CHUHE_CUDA_EXPORT void* chuhe_cuda_input(CudaApiEvaluator* evaluator, int slot);
CHUHE_CUDA_EXPORT const void* chuhe_cuda_output(CudaApiEvaluator* evaluator, int slot);

// Starts on the batch in the slot's input: `rows` positions, which is one of the sizes of
// batch_buckets.h, with `moves` moves together. Returns 0, without waiting for the device.
CHUHE_CUDA_EXPORT int chuhe_cuda_submit(CudaApiEvaluator* evaluator, int slot, int rows, int moves,
                                        char* error);

// Blocks until the slot's batch is answered; returns 0.
CHUHE_CUDA_EXPORT int chuhe_cuda_wait(CudaApiEvaluator* evaluator, int slot, char* error);

}  // extern "C"

// The functions as the side that loads the library holds them.
struct CudaApiFunctions {
  decltype(&chuhe_cuda_list_devices) list_devices;
  decltype(&chuhe_cuda_self_test) self_test;
  decltype(&chuhe_cuda_create) create;
  decltype(&chuhe_cuda_destroy) destroy;
  decltype(&chuhe_cuda_input) input;
  decltype(&chuhe_cuda_output) output;
  decltype(&chuhe_cuda_submit) submit;
  decltype(&chuhe_cuda_wait) wait;
};

}  // namespace chuhe
