// A network on a device: what stands behind CudaApiEvaluator.
//
// Each slot has a stream, staging memory, activations and captured graphs of its own, so that the
// copies and the work of one batch run while the other's do. Everything is allocated, run once and
// captured at the start: whatever cannot work fails then, and evaluating allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nets/cuda/api.h"
#include "nets/cuda/convolution.h"
#include "nets/cuda/device_resources.h"
#include "nets/cuda/network_layout.h"

namespace chuhe {

// Used by one thread at a time.
class DeviceEvaluator {
 public:
  // Null where something fails; then `error` says what.
  static std::unique_ptr<DeviceEvaluator> Create(const CudaApiShape& shape, const void* data,
                                                 uint64_t bytes, int device, int max_batch,
                                                 char* error);
  ~DeviceEvaluator();

  // The functions of api.h.
  void* input(int slot) const { return slots_[slot].host_input.get(); }
  const void* output(int slot) const { return slots_[slot].host_output.get(); }
  bool Submit(int slot, int rows, int moves, char* error);
  bool Wait(int slot, char* error);

 private:
  struct Slot {
    PinnedMemory host_input;
    PinnedMemory host_output;
    DeviceMemory input;
    DeviceMemory output;
    DeviceMemory activations[4];  // by Activations
    DeviceMemory hidden;          // float [row][value_hidden]
    DeviceMemory workspace;
    // Behind the memory, so that they go first.
    Stream stream;
    Event answered;
    std::vector<GraphExec> graphs;  // by bucket
  };
  template <typename T>
  class Steps;

  explicit DeviceEvaluator(const CudaApiShape& shape, int device, int max_batch);

  bool Load(const void* data, uint64_t bytes, char* error);
  bool Allocate(Slot* slot, char* error) const;
  // Enqueues one evaluation of so many rows.
  bool Enqueue(const Slot& slot, int rows, char* error) const;
  bool Capture(Slot* slot, char* error) const;

  const int device_;
  const bool half_precision_;
  const NetworkLayout layout_;
  const std::vector<int> buckets_;
  size_t workspace_bytes_ = 0;
  Convolutions convolutions_;
  DeviceMemory network_;
  Slot slots_[kCudaSlots];
};

}  // namespace chuhe
