// One convolution of the tower through oneDNN, with bias, residual sum and ReLU fused into it.
//
// Maps are [position][point][channel]. oneDNN runs one position at a time almost as fast as many,
// so a batch is a loop over calls for kGroup positions and single ones; there are no primitives
// for other batch sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace chuhe {

enum class Number : uint8_t { kU8, kBf16, kF32 };
size_t SizeOf(Number number);

struct ConvolutionSpec {
  int inputs = 0;
  int outputs = 0;
  int kernel = 3;  // 3 or 1, zero padding
  Number source = Number::kF32;
  Number destination = Number::kF32;
  // With it, destination = relu(convolution + addend_scale · destination).
  bool adds_destination = false;
  float addend_scale = 1;
  // By output, for sources of 8 bits alone: what sum and bias are multiplied by.
  std::vector<float> output_scales;
  bool in_groups = true;  // whether to make the primitive for kGroup positions
};

// Weights are [out][in][kernel][kernel]; those of 8-bit sources are 8-bit themselves.
struct ConvolutionNumbers {
  std::span<const float> weight;
  std::span<const int8_t> weight8;
  std::span<const float> bias;
};

// Weights in oneDNN's layout and the code that was made for them. Immutable, thread-safe.
class Convolution {
 public:
  static constexpr int kGroup = 8;

  // Errors are oneDNN's.
  static absl::StatusOr<Convolution> Make(const dnnl::engine& engine, const ConvolutionSpec& spec,
                                          const ConvolutionNumbers& numbers);

  size_t scratchpad_size() const;
  const std::vector<float>& bias() const { return bias_; }

 private:
  friend class ConvolutionCall;
  struct Primitive {
    int positions = 0;
    dnnl::convolution_forward::primitive_desc description;
    dnnl::convolution_forward primitive;
  };

  explicit Convolution(const dnnl::engine& engine) : engine_(engine) {}
  void AddPrimitive(const ConvolutionSpec& spec, int positions);
  void PackWeights(const ConvolutionSpec& spec, const ConvolutionNumbers& numbers);

  dnnl::engine engine_;
  size_t source_size_ = 0;             // bytes a position
  size_t destination_size_ = 0;        // likewise
  std::vector<Primitive> primitives_;  // largest first, the last one for a single position
  dnnl::memory weights_;
  std::vector<float> bias_;
};

// A convolution ready to be called. Owned by one thread; the convolution must outlive it.
class ConvolutionCall {
 public:
  // `scratchpad` has room for scratchpad_size(); calls that do not overlap may share it.
  ConvolutionCall(const Convolution& convolution, void* scratchpad);

  // Runs over maps of that many positions.
  void Run(const void* source, void* destination, int positions);
  // Runs over one position with another bias.
  void RunWithBias(const void* source, void* destination, const float* bias);

 private:
  struct Bound {
    int positions = 0;
    dnnl_primitive_t primitive = nullptr;
    dnnl::memory source, destination, bias, scratchpad;
    std::vector<dnnl_exec_arg_t> arguments;
  };

  void Execute(const Bound& bound, const void* source, void* destination);

  const Convolution* convolution_;
  dnnl::stream stream_;
  std::vector<Bound> bound_;
};

// Whether oneDNN's sums of products of 8-bit numbers are exact here. Instructions older than VNNI
// add pairs of products in 16 bits, where 255 · 127 · 2 saturates; weights must be halved then.
absl::StatusOr<bool> EightBitSumsAreExact(const dnnl::engine& engine);

}  // namespace chuhe
