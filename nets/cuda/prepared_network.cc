#include "nets/cuda/prepared_network.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nets/cuda/network_layout.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/weights/half.h"
#include "nets/weights/tensors.h"

namespace chuhe {
namespace {

constexpr float kLargestHalf = 65504;
// Above this, values between the layers are too near to the end of half precision.
constexpr float kLargestActivation = kLargestHalf / 2;

using Floats = std::vector<float>;

size_t Size(int rows, int columns) { return static_cast<size_t>(rows) * columns; }

// Whether every array has the size that the architecture gives it.
absl::Status CheckSizes(const NetworkWeights& weights) {
  if (!HasBlockCount(TensorGroup::kWeights, weights)) {
    return absl::InvalidArgumentError(absl::StrCat("the network has ", weights.blocks.size(),
                                                   " blocks, the architecture has ",
                                                   weights.architecture.blocks));
  }
  for (const ConstTensor& tensor : ListTensors(TensorGroup::kWeights, weights)) {
    if (tensor.values->size() != tensor.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor ", tensor.name, " has ", tensor.values->size(),
                       " numbers, the architecture has ", ShapeText(tensor.shape)));
    }
  }
  return absl::OkStatus();
}

// [out][in][kernel][kernel] to [out][kernel][kernel][in].
Floats ChannelsLast(const Floats& weight, int out, int in, int kernel) {
  const int taps = kernel * kernel;
  Floats result(weight.size());
  for (int o = 0; o < out; ++o) {
    for (int i = 0; i < in; ++i) {
      for (int tap = 0; tap < taps; ++tap) {
        result[(Size(o, taps) + tap) * in + i] = weight[(Size(o, in) + i) * taps + tap];
      }
    }
  }
  return result;
}

// [rows][columns] to [columns][rows].
Floats Transposed(const Floats& matrix, int rows, int columns) {
  Floats result(matrix.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) result[Size(c, rows) + r] = matrix[Size(r, columns) + c];
  }
  return result;
}

// [rows][columns] to [rows][wider], filled up with zeros.
Floats Widened(const Floats& matrix, size_t rows, int columns, int wider) {
  Floats result(rows * wider);
  for (size_t r = 0; r < rows; ++r) {
    std::copy_n(matrix.begin() + static_cast<ptrdiff_t>(r * columns), columns,
                result.begin() + static_cast<ptrdiff_t>(r * wider));
  }
  return result;
}

Floats Joined(Floats first, const Floats& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Writes arrays to their places.
class Writer {
 public:
  Writer(CudaPrecision precision, std::vector<std::byte>* bytes)
      : precision_(precision), bytes_(*bytes) {}

  void Bytes(uint64_t place, const void* data, size_t size) {
    std::memcpy(bytes_.data() + place, data, size);
  }
  void Floats32(uint64_t place, const Floats& values) {
    Bytes(place, values.data(), values.size() * sizeof(float));
  }
  // In the network's precision.
  absl::Status Numbers(uint64_t place, const Floats& values, absl::string_view name) {
    if (precision_ == CudaPrecision::kFloat32) {
      Floats32(place, values);
      return absl::OkStatus();
    }
    std::vector<uint16_t> halves(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      // Also false for NaN.
      if (!(std::abs(values[i]) <= kLargestHalf)) {
        return absl::InvalidArgumentError(
            absl::StrCat("tensor ", name, " has a ", values[i],
                         ", which half precision does not reach; use fp32"));
      }
      halves[i] = HalfFromFloat(values[i]);
    }
    Bytes(place, halves.data(), halves.size() * sizeof(uint16_t));
    return absl::OkStatus();
  }

  // `scale` is multiplied to the weights.
  absl::Status Convolution(const ConvolutionPlace& place, const ConvWeights& conv,
                           const std::string& name, float scale = 1) {
    Floats weight = ChannelsLast(conv.weight, place.out, place.in, place.kernel);
    for (float& number : weight) number *= scale;
    CHUHE_RETURN_IF_ERROR(Numbers(place.weight, weight, absl::StrCat(name, ".weight")));
    return Numbers(place.bias, conv.bias, absl::StrCat(name, ".bias"));
  }

 private:
  const CudaPrecision precision_;
  std::vector<std::byte>& bytes_;
};

absl::Status WriteTower(const NetworkWeights& weights, const NetworkLayout& layout,
                        Writer* writer) {
  constexpr float kInputScale = static_cast<float>(kInputDivisor) / kLevelOne;
  CHUHE_RETURN_IF_ERROR(writer->Convolution(layout.stem, weights.stem, "stem", kInputScale));
  const int channels = weights.architecture.channels;
  for (size_t i = 0; i < weights.blocks.size(); ++i) {
    const BlockWeights& block = weights.blocks[i];
    const BlockPlace& place = layout.blocks[i];
    const std::string name = absl::StrCat("blocks.", i);
    CHUHE_RETURN_IF_ERROR(writer->Convolution(place.conv1, block.conv1, name + ".conv1"));
    CHUHE_RETURN_IF_ERROR(writer->Convolution(place.conv2, block.conv2, name + ".conv2"));
    if (place.has_global) {
      CHUHE_RETURN_IF_ERROR(writer->Numbers(
          place.global, Transposed(block.global, channels, channels), name + ".global"));
    }
  }
  return absl::OkStatus();
}

absl::Status WritePolicyHead(const NetworkWeights& weights, const NetworkLayout& layout,
                             Writer* writer) {
  CHUHE_RETURN_IF_ERROR(
      writer->Numbers(layout.policy_from, weights.policy_from, "policy.from.weight"));
  CHUHE_RETURN_IF_ERROR(writer->Numbers(layout.policy_to, weights.policy_to, "policy.to.weight"));
  writer->Floats32(layout.policy_bias, weights.policy_bias);
  std::vector<PolicyTableEntry> table(kPolicyMoves);
  for (int i = 0; i < kPolicyMoves; ++i) {
    const Move move = PolicyMove(i);
    table[i] = {move.from(), move.to(), static_cast<uint8_t>(MoveShape(move)), 0};
  }
  writer->Bytes(layout.policy_table, table.data(), table.size() * sizeof(table[0]));
  return absl::OkStatus();
}

absl::Status WriteValueHead(const NetworkWeights& weights, const NetworkLayout& layout,
                            Writer* writer) {
  const int channels = weights.architecture.value_channels;
  const int hidden = layout.value_hidden;
  const LinearWeights& layer = weights.value_hidden;
  const Floats wide =
      Widened(layer.weight, Size(hidden, kSquares), channels, layout.value_channels);
  CHUHE_RETURN_IF_ERROR(writer->Numbers(layout.hidden_weight, wide, "value.hidden.weight"));
  writer->Floats32(layout.hidden_bias, layer.bias);
  writer->Floats32(layout.outcome_weight, Joined(weights.wdl.weight, weights.plies_left.weight));
  writer->Floats32(layout.outcome_bias, Joined(weights.wdl.bias, weights.plies_left.bias));
  return absl::OkStatus();
}

// Both heads' 1×1 convolutions, one after the other.
absl::Status WriteHeadConvolutions(const NetworkWeights& weights, const NetworkLayout& layout,
                                   Writer* writer) {
  const Architecture& shape = weights.architecture;
  ConvWeights both = {.weight = Joined(weights.policy_conv.weight, weights.value_conv.weight),
                      .bias = Joined(weights.policy_conv.bias, weights.value_conv.bias)};
  both.weight.resize(Size(layout.heads.out, shape.channels));
  both.bias.resize(layout.heads.out);
  return writer->Convolution(layout.heads, both, "policy.conv and value.conv");
}

// Whether what calibration saw fits half precision.
absl::Status CheckActivations(const Calibration& calibration) {
  const auto check = [](const Floats& values, absl::string_view what) {
    for (const float value : values) {
      if (!(value <= kLargestActivation)) {
        return absl::InvalidArgumentError(
            absl::StrCat("values of the network's ", what, " reach ", value,
                         ", too near to the end of half precision; use fp32"));
      }
    }
    return absl::OkStatus();
  };
  CHUHE_RETURN_IF_ERROR(check(calibration.stem, "stem"));
  for (size_t i = 0; i < calibration.blocks.size(); ++i) {
    CHUHE_RETURN_IF_ERROR(check(calibration.blocks[i].inner, absl::StrCat("block ", i)));
    CHUHE_RETURN_IF_ERROR(check(calibration.blocks[i].output, absl::StrCat("block ", i)));
  }
  CHUHE_RETURN_IF_ERROR(check(calibration.policy, "policy head"));
  return check(calibration.value, "value head");
}

}  // namespace

PreparedNetwork::PreparedNetwork(const NetworkWeights& weights, CudaPrecision precision)
    : architecture_(weights.architecture),
      global_blocks_(weights.architecture.global_blocks.begin(),
                     weights.architecture.global_blocks.end()),
      precision_(precision) {}

CudaApiShape PreparedNetwork::shape() const {
  return {.blocks = architecture_.blocks,
          .channels = architecture_.channels,
          .policy_channels = architecture_.policy_channels,
          .value_channels = architecture_.value_channels,
          .value_hidden = architecture_.value_hidden,
          .half_precision = precision_ == CudaPrecision::kFloat16 ? 1 : 0,
          .global_block_count = static_cast<int32_t>(global_blocks_.size()),
          .global_blocks = global_blocks_.data()};
}

absl::StatusOr<PreparedNetwork> PreparedNetwork::Make(const NetworkWeights& weights,
                                                      CudaPrecision precision) {
  CHUHE_RETURN_IF_ERROR(CheckArchitecture(weights.architecture));
  CHUHE_RETURN_IF_ERROR(CheckSizes(weights));
  if (precision == CudaPrecision::kFloat16) {
    CHUHE_RETURN_IF_ERROR(CheckActivations(weights.calibration));
  }
  PreparedNetwork network(weights, precision);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  network.bytes_.resize(layout.bytes);
  Writer writer(precision, &network.bytes_);
  CHUHE_RETURN_IF_ERROR(WriteTower(weights, layout, &writer));
  CHUHE_RETURN_IF_ERROR(WriteHeadConvolutions(weights, layout, &writer));
  CHUHE_RETURN_IF_ERROR(WritePolicyHead(weights, layout, &writer));
  CHUHE_RETURN_IF_ERROR(WriteValueHead(weights, layout, &writer));
  return network;
}

}  // namespace chuhe
