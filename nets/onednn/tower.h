// Runs a packed network's convolutions: input planes in, the map that the heads read out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nets/onednn/convolution.h"
#include "nets/onednn/packed_network.h"

namespace chuhe {

// Is shown the values between the layers, as [position][point][channel] in the network's number().
class TowerObserver {
 public:
  virtual ~TowerObserver() = default;
  virtual void Stem(const void* map, int positions) = 0;
  virtual void Inner(int block, const void* map, int positions) = 0;
  virtual void Output(int block, const void* map, int positions) = 0;
};

// Memory whose lines and vectors begin where the CPU likes them to.
class AlignedBuffer {
 public:
  explicit AlignedBuffer(size_t size);

  std::byte* data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::byte* data_;
};

// Owned by one thread. All calls are made within a SingleThreadScope.
class Tower {
 public:
  explicit Tower(std::shared_ptr<const PackedNetwork> network);

  // Positions that one Run() may take: as many as make good use of the caches.
  int capacity() const { return capacity_; }
  // Where the caller writes the input planes (ExpandPlanes), one position after the other.
  uint8_t* levels() { return reinterpret_cast<uint8_t*>(levels_.data()); }

  // Returns [position][point][policy channels, then value channels], valid until the next run.
  const float* Run(int positions, TowerObserver* observer = nullptr);

 private:
  struct BlockCalls {
    ConvolutionCall conv1;
    ConvolutionCall conv2;
  };

  const void* StemInput(int positions);
  void RunGlobal(const PackedNetwork::Block& block, ConvolutionCall* conv1, int positions);

  std::shared_ptr<const PackedNetwork> network_;
  size_t map_size_;  // bytes of one position between the layers
  int capacity_;
  AlignedBuffer levels_;  // input planes
  AlignedBuffer floats_;  // the same in the network's number, where that is another
  AlignedBuffer x_;       // block outputs
  AlignedBuffer y_;       // inner maps
  AlignedBuffer head_;    // the result
  AlignedBuffer scratchpad_;
  std::vector<float> sums_;         // over the points, by channel
  std::vector<float> global_bias_;  // of one position
  ConvolutionCall stem_;
  std::vector<BlockCalls> blocks_;
  ConvolutionCall head_convolution_;
};

}  // namespace chuhe
