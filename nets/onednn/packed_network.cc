#include "nets/onednn/packed_network.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/types.h"
#include "nets/features/planes.h"
#include "nets/onednn/quantise.h"
#include "nets/onednn/single_thread.h"

namespace chuhe {
namespace {

constexpr float kStemScale = 1.0f / kLevelOne;

// The two heads' 1×1 convolutions as one: the policy's channels, then the value's.
ConvWeights JoinHeads(const ConvWeights& policy, const ConvWeights& value) {
  ConvWeights joint = policy;
  joint.weight.insert(joint.weight.end(), value.weight.begin(), value.weight.end());
  joint.bias.insert(joint.bias.end(), value.bias.begin(), value.bias.end());
  return joint;
}

// G for sums instead of means, in other units: row i times row_factors[i], column j times
// column_factors[j]; empty factors are 1.
std::vector<float> ScaleGlobal(const std::vector<float>& global,
                               const std::vector<float>& row_factors,
                               const std::vector<float>& column_factors, size_t channels) {
  std::vector<float> scaled(global.size());
  for (size_t i = 0; i < scaled.size(); ++i) {
    const float row = row_factors.empty() ? 1 : row_factors[i / channels];
    const float column = column_factors.empty() ? 1 : column_factors[i % channels];
    scaled[i] = global[i] * row * column / kSquares;
  }
  return scaled;
}

}  // namespace

PackedNetwork::PackedNetwork(const NetworkWeights& network, CpuPrecision precision)
    : architecture_(network.architecture),
      precision_(precision),
      number_(precision == CpuPrecision::kInt8   ? Number::kU8
              : precision == CpuPrecision::kBf16 ? Number::kBf16
                                                 : Number::kF32),
      heads_(network, precision == CpuPrecision::kFp32 ? DenseLayer::Storage::kFloat32
                                                       : DenseLayer::Storage::kBfloat16) {}

absl::StatusOr<std::shared_ptr<const PackedNetwork>> PackedNetwork::Make(
    const NetworkWeights& network, CpuPrecision precision) {
  if (precision == CpuPrecision::kInt8 && network.calibration.empty()) {
    return absl::FailedPreconditionError("int8 needs a calibrated network; this one is not");
  }
  const SingleThreadScope single_thread;
  std::shared_ptr<PackedNetwork> packed(new PackedNetwork(network, precision));
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    CHUHE_RETURN_IF_ERROR(precision == CpuPrecision::kInt8
                              ? packed->AddInt8Layers(engine, network)
                              : packed->AddFloatLayers(engine, network));
  } catch (const dnnl::error& error) {
    return absl::InternalError(absl::StrCat("oneDNN: ", error.what()));
  }
  return packed;
}

absl::Status PackedNetwork::AddFloatLayers(const dnnl::engine& engine,
                                           const NetworkWeights& network) {
  const int channels = architecture_.channels;
  const auto make = [&](ConvolutionSpec spec, const ConvWeights& conv) {
    spec.source = number_;
    // The order in which floats are summed may depend on the number of positions in a call.
    spec.in_groups = false;
    return Convolution::Make(engine, spec, {.weight = conv.weight, .bias = conv.bias});
  };
  // The planes come as levels, which are exact in every kind of number.
  ConvWeights stem = network.stem;
  for (float& weight : stem.weight) weight *= kStemScale;
  CHUHE_ASSIGN_OR_RETURN(
      stem_, make({.inputs = kPlanes, .outputs = channels, .destination = number_}, stem));
  for (const BlockWeights& weights : network.blocks) {
    ConvolutionSpec spec{.inputs = channels, .outputs = channels, .destination = number_};
    CHUHE_ASSIGN_OR_RETURN(Convolution conv1, make(spec, weights.conv1));
    spec.adds_destination = true;
    CHUHE_ASSIGN_OR_RETURN(Convolution conv2, make(spec, weights.conv2));
    Block block{std::move(conv1), std::move(conv2), {}, !weights.global.empty()};
    if (block.is_global) {
      block.global = DenseLayer(ScaleGlobal(weights.global, {}, {}, channels), weights.conv1.bias,
                                DenseLayer::Storage::kFloat32);
    }
    blocks_.push_back(std::move(block));
  }
  CHUHE_ASSIGN_OR_RETURN(head_convolution_,
                         make({.inputs = channels, .outputs = heads_.channels(), .kernel = 1},
                              JoinHeads(network.policy_conv, network.value_conv)));
  return absl::OkStatus();
}

absl::Status PackedNetwork::AddInt8Layers(const dnnl::engine& engine,
                                          const NetworkWeights& network) {
  const int channels = architecture_.channels;
  CHUHE_ASSIGN_OR_RETURN(const bool is_exact, EightBitSumsAreExact(engine));
  // Two products of 255 and 64 fit into 16 bits.
  const int max_weight = is_exact ? 127 : 64;
  const auto make = [&](ConvolutionSpec spec, const QuantisedConvolution& conv) {
    spec.source = Number::kU8;
    spec.output_scales = conv.output_scales;
    return Convolution::Make(engine, spec, {.weight8 = conv.weight, .bias = conv.bias});
  };
  const ActivationScales scales(network.calibration);
  const std::vector<float> stem_scales(kPlanes, kStemScale);
  CHUHE_ASSIGN_OR_RETURN(stem_,
                         make({.inputs = kPlanes, .outputs = channels, .destination = Number::kU8},
                              Quantise(network.stem, stem_scales, scales.residual[0], max_weight)));
  for (size_t i = 0; i < network.blocks.size(); ++i) {
    const BlockWeights& weights = network.blocks[i];
    const QuantisedConvolution quantised1 =
        Quantise(weights.conv1, scales.residual[i], scales.inner[i], max_weight);
    ConvolutionSpec spec{.inputs = channels, .outputs = channels, .destination = Number::kU8};
    CHUHE_ASSIGN_OR_RETURN(Convolution conv1, make(spec, quantised1));
    spec.adds_destination = true;
    spec.addend_scale = scales.residual_growth[i] / scales.residual_growth[i + 1];
    CHUHE_ASSIGN_OR_RETURN(
        Convolution conv2,
        make(spec, Quantise(weights.conv2, scales.inner[i], scales.residual[i + 1], max_weight)));
    Block block{std::move(conv1), std::move(conv2), {}, !weights.global.empty()};
    if (block.is_global) {
      std::vector<float> rows(channels);
      for (int c = 0; c < channels; ++c) {
        rows[c] = 1 / (quantised1.output_scales[c] * scales.inner[i][c]);
      }
      block.global = DenseLayer(ScaleGlobal(weights.global, rows, scales.residual[i], channels),
                                quantised1.bias, DenseLayer::Storage::kFloat32);
    }
    blocks_.push_back(std::move(block));
  }
  CHUHE_ASSIGN_OR_RETURN(head_convolution_,
                         make({.inputs = channels, .outputs = heads_.channels(), .kernel = 1},
                              Quantise(JoinHeads(network.policy_conv, network.value_conv),
                                       scales.residual.back(), {}, max_weight)));
  return absl::OkStatus();
}

size_t PackedNetwork::scratchpad_size() const {
  size_t size = std::max(stem_->scratchpad_size(), head_convolution_->scratchpad_size());
  for (const Block& block : blocks_) {
    size = std::max({size, block.conv1.scratchpad_size(), block.conv2.scratchpad_size()});
  }
  return size;
}

}  // namespace chuhe
