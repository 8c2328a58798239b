// How a network lies in a GPU's memory: one piece, in which every array has its place.
//
// The program puts the arrays there (prepared_network.h), the CUDA library finds them; both compute
// the places from the shape. T is the network's number type, Half or float; [] as in C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/board/types.h"
#include "nets/cuda/api.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"

namespace chuhe {

// Input levels go to the network divided by this, and the stem's weights make up for it. Thus every
// level is exact in half precision, which 1/120 of it is not.
constexpr int kInputDivisor = 128;

// Channels of tensors are multiples of 8, for tensor cores and for loads of 16 bytes.
constexpr int RoundUpChannels(int channels) { return (channels + 7) / 8 * 8; }

// A convolution with its bias. Offsets in bytes from the start of the network.
struct ConvolutionPlace {
  int in = 0;  // channels
  int out = 0;
  int kernel = 0;       // 3 or 1
  uint64_t weight = 0;  // T [out][kernel][kernel][in]
  uint64_t bias = 0;    // T [out]
};

struct BlockPlace {
  ConvolutionPlace conv1;
  ConvolutionPlace conv2;
  bool has_global = false;
  uint64_t global = 0;  // T [channels in][channels out]
};

// One entry of the table that turns a policy index into what its logit is made of.
struct PolicyTableEntry {
  uint8_t from;
  uint8_t to;
  uint8_t shape;
  uint8_t unused;
};
static_assert(sizeof(PolicyTableEntry) == 4);

struct NetworkLayout {
  size_t element_bytes = 0;  // of T
  int policy_channels = 0;
  int value_channels = 0;  // rounded up; the added ones are zero
  int value_hidden = 0;

  ConvolutionPlace stem;
  std::vector<BlockPlace> blocks;
  // Both heads' convolutions as one: policy channels first, then value channels.
  ConvolutionPlace heads;
  uint64_t policy_from = 0;    // T [kMoveShapes][policy_channels]
  uint64_t policy_to = 0;      // T [kMoveShapes][policy_channels]
  uint64_t policy_bias = 0;    // float [kMoveShapes]
  uint64_t policy_table = 0;   // PolicyTableEntry [kPolicyMoves]
  uint64_t hidden_weight = 0;  // T [value_hidden][kSquares][value_channels]
  uint64_t hidden_bias = 0;    // float [value_hidden]
  // Win, draw, loss, plies left.
  uint64_t outcome_weight = 0;  // float [4][value_hidden]
  uint64_t outcome_bias = 0;    // float [4]

  uint64_t bytes = 0;  // of the whole
};

constexpr int kOutcomes = 4;

// The shape must be one that CheckArchitecture() lets pass.
inline NetworkLayout MakeNetworkLayout(const CudaApiShape& shape) {
  constexpr uint64_t kAlignment = 256;
  NetworkLayout layout;
  const auto place = [&layout](size_t count, size_t size) {
    const uint64_t offset = layout.bytes;
    layout.bytes += (count * size + kAlignment - 1) / kAlignment * kAlignment;
    return offset;
  };
  const size_t element = shape.half_precision != 0 ? 2 : 4;
  const auto convolution = [&place, element](int in, int out, int kernel) {
    const size_t weights = static_cast<size_t>(out) * kernel * kernel * in;
    ConvolutionPlace result{.in = in, .out = out, .kernel = kernel};
    result.weight = place(weights, element);
    result.bias = place(out, element);
    return result;
  };

  layout.element_bytes = element;
  layout.policy_channels = shape.policy_channels;
  layout.value_channels = RoundUpChannels(shape.value_channels);
  layout.value_hidden = shape.value_hidden;
  const int channels = shape.channels;
  layout.stem = convolution(kPlanes, channels, 3);
  layout.blocks.resize(shape.blocks);
  for (int i = 0; i < shape.global_block_count; ++i) {
    layout.blocks[shape.global_blocks[i]].has_global = true;
  }
  for (BlockPlace& block : layout.blocks) {
    block.conv1 = convolution(channels, channels, 3);
    block.conv2 = convolution(channels, channels, 3);
    if (block.has_global) block.global = place(static_cast<size_t>(channels) * channels, element);
  }
  layout.heads = convolution(channels, layout.policy_channels + layout.value_channels, 1);
  const size_t shape_weights = static_cast<size_t>(kMoveShapes) * layout.policy_channels;
  layout.policy_from = place(shape_weights, element);
  layout.policy_to = place(shape_weights, element);
  layout.policy_bias = place(kMoveShapes, sizeof(float));
  layout.policy_table = place(kPolicyMoves, sizeof(PolicyTableEntry));
  const size_t hidden = layout.value_hidden;
  layout.hidden_weight = place(hidden * kSquares * layout.value_channels, element);
  layout.hidden_bias = place(hidden, sizeof(float));
  layout.outcome_weight = place(hidden * kOutcomes, sizeof(float));
  layout.outcome_bias = place(kOutcomes, sizeof(float));
  return layout;
}

}  // namespace chuhe
