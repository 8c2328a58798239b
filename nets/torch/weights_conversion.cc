#include "nets/torch/weights_conversion.h"

#include <cmath>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nets/features/packed_position.h"
#include "nets/torch/error_text.h"
#include "nets/weights/initialise.h"
#include "nets/weights/tensors.h"

namespace chuhe {
namespace {

// Root of the mean square of a kernel's numbers after long training. Batch norm makes kernels of
// any size alike, but a step of the optimizer turns small ones further. Steps of Muon are of size
// 0.2 · rate each (Liu and others, "Muon is Scalable for LLM Training", 2025), weight decay takes
// decay · rate of the kernel: at the usual 0.02 and 0.01 they balance at 0.2.
constexpr double kTrainedSize = 0.2;

std::vector<float> Values(const torch::Tensor& tensor) {
  const torch::Tensor flat = tensor.detach().to(torch::kCPU, torch::kFloat).contiguous().flatten();
  const float* data = flat.const_data_ptr<float>();
  return {data, data + flat.numel()};
}

void Assign(const std::vector<float>& values, torch::Tensor* target) {
  target->copy_(torch::tensor(values).view(target->sizes()));
}

// Batch norm is (c − mean) · gamma / √(variance + eps) + beta, of a convolution's output c: a scale
// that the convolution can take, and a shift that becomes its bias.
void Export(const ConvNorm& layer, ConvWeights* conv, NormStatistics::Layer* statistics) {
  const auto exact = [](const torch::Tensor& tensor) {
    return tensor.detach().to(torch::kCPU, torch::kDouble);
  };
  const torch::Tensor variance = exact(layer.norm->running_var);
  const torch::Tensor mean = exact(layer.norm->running_mean);
  const torch::Tensor scale =
      exact(layer.norm->weight) / torch::sqrt(variance + layer.norm->options.eps());
  conv->weight = Values(exact(layer.conv->weight) * scale.view({-1, 1, 1, 1}));
  conv->bias = Values(exact(layer.norm->bias) - mean * scale);
  statistics->mean = Values(mean * scale);
  statistics->deviation = Values(torch::sqrt(variance) * scale.abs());
}

// What brings the kernel of each output channel to about kTrainedSize: powers of two, so that
// nothing is rounded.
torch::Tensor Growth(const torch::Tensor& kernel) {
  const torch::Tensor size = kernel.to(torch::kDouble).square().mean({1, 2, 3}).sqrt();
  const torch::Tensor growth = torch::exp2(torch::round(torch::log2(kTrainedSize / size)));
  return torch::where(size > 0, growth, torch::ones_like(size));
}

// The folded convolution goes into the convolution. Where its outputs' mean and deviation are known
// they become batch norm's averages, and gamma and beta undo them; kernels get the size that they
// had in training, which batch norm undoes, too. Where they are not, the network has not been
// trained, and `fresh_scale` is the gamma to begin with; averages are set so that it changes
// nothing until then.
void Import(const ConvWeights& conv, const NormStatistics::Layer* statistics, ConvNorm* layer,
            double fresh_scale = 1) {
  Assign(conv.weight, &layer->conv->weight);
  Assign(conv.bias, &layer->norm->bias);
  const double eps = layer->norm->options.eps();
  if (statistics == nullptr) {
    layer->norm->running_mean.zero_();
    layer->norm->running_var.fill_(fresh_scale * fresh_scale - eps);
    layer->norm->weight.fill_(fresh_scale);
    return;
  }
  const torch::Tensor growth = Growth(layer->conv->weight);
  const torch::Tensor mean = torch::tensor(statistics->mean);
  const torch::Tensor deviation = torch::tensor(statistics->deviation).to(torch::kDouble) * growth;
  layer->conv->weight.mul_(growth.view({-1, 1, 1, 1}));
  layer->norm->running_mean.copy_(mean * growth);
  layer->norm->running_var.copy_(deviation.square());
  layer->norm->weight.copy_(torch::sqrt(deviation.square() + eps) / growth);
  layer->norm->bias.add_(mean);
}

void ExportLinear(const torch::nn::Linear& layer, LinearWeights* linear) {
  linear->weight = Values(layer->weight);
  linear->bias = Values(layer->bias);
}

void ImportLinear(const LinearWeights& linear, torch::nn::Linear* layer) {
  Assign(linear.weight, &(*layer)->weight);
  Assign(linear.bias, &(*layer)->bias);
}

void ExportAll(const TorchNetwork& network, NetworkWeights* weights) {
  NormStatistics& norms = weights->norms;
  Export(*network.stem, &weights->stem, &norms.stem);
  for (size_t i = 0; i < network.blocks.size(); ++i) {
    const ResidualBlock& block = *network.blocks[i];
    Export(*block.conv1, &weights->blocks[i].conv1, &norms.conv1[i]);
    Export(*block.conv2, &weights->blocks[i].conv2, &norms.conv2[i]);
    if (!block.global.is_empty()) weights->blocks[i].global = Values(block.global->weight);
  }
  Export(*network.policy->conv, &weights->policy_conv, &norms.policy);
  weights->policy_from = Values(network.policy->from->weight);
  weights->policy_to = Values(network.policy->to->weight);
  weights->policy_bias = Values(network.policy->from->bias);
  Export(*network.value_conv, &weights->value_conv, &norms.value);
  ExportLinear(network.value_hidden, &weights->value_hidden);
  ExportLinear(network.wdl, &weights->wdl);
  ExportLinear(network.plies_left, &weights->plies_left);
}

void ImportAll(const NetworkWeights& weights, TorchNetwork* network) {
  const torch::NoGradGuard no_grad;
  const NormStatistics& norms = weights.norms;
  const bool has_norms = !norms.empty();
  Import(weights.stem, has_norms ? &norms.stem : nullptr, network->stem.get());
  for (size_t i = 0; i < network->blocks.size(); ++i) {
    ResidualBlock& block = *network->blocks[i];
    const BlockWeights& source = weights.blocks[i];
    Import(source.conv1, has_norms ? &norms.conv1[i] : nullptr, block.conv1.get());
    Import(source.conv2, has_norms ? &norms.conv2[i] : nullptr, block.conv2.get(),
           kFreshResidualScale);
    if (!block.global.is_empty()) Assign(source.global, &block.global->weight);
  }
  Import(weights.policy_conv, has_norms ? &norms.policy : nullptr, network->policy->conv.get());
  Assign(weights.policy_from, &network->policy->from->weight);
  Assign(weights.policy_to, &network->policy->to->weight);
  Assign(weights.policy_bias, &network->policy->from->bias);
  Import(weights.value_conv, has_norms ? &norms.value : nullptr, network->value_conv.get());
  ImportLinear(weights.value_hidden, &network->value_hidden);
  ImportLinear(weights.wdl, &network->wdl);
  ImportLinear(weights.plies_left, &network->plies_left);
}

absl::Status CheckSizes(TensorGroup group, const NetworkWeights& weights) {
  if (!HasBlockCount(group, weights)) {
    return absl::InvalidArgumentError(
        absl::StrCat("weights: the parts of blocks are not as many as the architecture's ",
                     weights.architecture.blocks, " blocks"));
  }
  for (const ConstTensor& tensor : ListTensors(group, weights)) {
    if (tensor.values->size() != tensor.size()) {
      return absl::InvalidArgumentError(absl::StrCat("weights: tensor ", tensor.name, " has ",
                                                     tensor.values->size(), " numbers, expected ",
                                                     ShapeText(tensor.shape)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckShapes(const NetworkWeights& weights) {
  CHUHE_RETURN_IF_ERROR(CheckArchitecture(weights.architecture));
  if (weights.origin.feature_set != kFeatureSet) {
    return absl::InvalidArgumentError(absl::StrCat(
        "weights: feature set ", weights.origin.feature_set, ", this program makes ", kFeatureSet));
  }
  CHUHE_RETURN_IF_ERROR(CheckSizes(TensorGroup::kWeights, weights));
  return weights.norms.empty() ? absl::OkStatus() : CheckSizes(TensorGroup::kNorms, weights);
}

absl::StatusOr<NetworkWeights> ToWeights(const TorchNetwork& network, const NetworkOrigin& origin) {
  NetworkWeights weights{.architecture = network.architecture(), .origin = origin};
  SetBlockCount(TensorGroup::kWeights, &weights);
  SetBlockCount(TensorGroup::kNorms, &weights);
  try {
    ExportAll(network, &weights);
  } catch (const std::exception& error) {
    return absl::InternalError(
        absl::StrCat("LibTorch, exporting a network: ", TorchErrorText(error)));
  }
  for (const TensorGroup group : {TensorGroup::kWeights, TensorGroup::kNorms}) {
    for (const ConstTensor& tensor : ListTensors(group, std::as_const(weights))) {
      CHUHE_RETURN_IF_ERROR(CheckNumbers(tensor.name, group, *tensor.values));
    }
  }
  return weights;
}

absl::StatusOr<std::shared_ptr<TorchNetwork>> FromWeights(const NetworkWeights& weights,
                                                          const TorchNetworkOptions& options) {
  CHUHE_RETURN_IF_ERROR(CheckShapes(weights));
  try {
    auto network = std::make_shared<TorchNetwork>(weights.architecture, options);
    ImportAll(weights, network.get());
    return network;
  } catch (const std::exception& error) {
    return absl::InternalError(
        absl::StrCat("LibTorch, importing a network: ", TorchErrorText(error)));
  }
}

}  // namespace chuhe
