#include "nets/weights/tensors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/board/types.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"

namespace chuhe {
namespace {

// Collects the tensors of one network, const or not.
template <typename Network>
class TensorLister {
 public:
  using Values =
      std::conditional_t<std::is_const_v<Network>, const std::vector<float>, std::vector<float>>;

  TensorLister(TensorGroup group, Network& network) : group_(group), network_(network) {}

  std::vector<TensorOf<Values>> List() {
    switch (group_) {
      case TensorGroup::kCalibration:
        AddCalibration();
        break;
      case TensorGroup::kNorms:
        AddNorms();
        break;
      case TensorGroup::kWeights:
        AddWeights();
        break;
    }
    return std::move(tensors_);
  }

 private:
  void Add(std::string name, std::vector<int> shape, Values& values) {
    tensors_.push_back({std::move(name), group_, std::move(shape), &values});
  }

  // A convolution or a linear layer.
  template <typename Layer>
  void AddLayer(const std::string& name, std::vector<int> shape, Layer& layer) {
    const int outputs = shape[0];
    Add(name + ".weight", std::move(shape), layer.weight);
    Add(name + ".bias", {outputs}, layer.bias);
  }

  void AddWeights() {
    const Architecture& architecture = network_.architecture;
    const int channels = architecture.channels;
    AddLayer("stem", {channels, kPlanes, 3, 3}, network_.stem);
    for (int i = 0; i < architecture.blocks; ++i) {
      auto& block = network_.blocks[static_cast<size_t>(i)];
      const std::string name = absl::StrCat("blocks.", i);
      AddLayer(name + ".conv1", {channels, channels, 3, 3}, block.conv1);
      AddLayer(name + ".conv2", {channels, channels, 3, 3}, block.conv2);
      if (std::binary_search(architecture.global_blocks.begin(), architecture.global_blocks.end(),
                             i)) {
        Add(name + ".global.weight", {channels, channels}, block.global);
      }
    }
    const int policy_channels = architecture.policy_channels;
    AddLayer("policy.conv", {policy_channels, channels, 1, 1}, network_.policy_conv);
    Add("policy.from.weight", {kMoveShapes, policy_channels}, network_.policy_from);
    Add("policy.to.weight", {kMoveShapes, policy_channels}, network_.policy_to);
    Add("policy.bias", {kMoveShapes}, network_.policy_bias);
    const int value_channels = architecture.value_channels;
    const int hidden = architecture.value_hidden;
    AddLayer("value.conv", {value_channels, channels, 1, 1}, network_.value_conv);
    AddLayer("value.hidden", {hidden, kSquares * value_channels}, network_.value_hidden);
    AddLayer("value.wdl", {3, hidden}, network_.wdl);
    AddLayer("value.plies_left", {1, hidden}, network_.plies_left);
  }

  void AddCalibration() {
    const Architecture& architecture = network_.architecture;
    auto& calibration = network_.calibration;
    Add("calibration.stem", {architecture.channels}, calibration.stem);
    for (int i = 0; i < architecture.blocks; ++i) {
      auto& block = calibration.blocks[static_cast<size_t>(i)];
      const std::string name = absl::StrCat("calibration.blocks.", i);
      Add(name + ".inner", {architecture.channels}, block.inner);
      Add(name + ".output", {architecture.channels}, block.output);
    }
    Add("calibration.policy", {architecture.policy_channels}, calibration.policy);
    Add("calibration.value", {architecture.value_channels}, calibration.value);
  }

  template <typename Layer>
  void AddNorm(const std::string& name, int channels, Layer& layer) {
    Add(name + ".mean", {channels}, layer.mean);
    Add(name + ".deviation", {channels}, layer.deviation);
  }

  void AddNorms() {
    const Architecture& architecture = network_.architecture;
    auto& norms = network_.norms;
    AddNorm("norm.stem", architecture.channels, norms.stem);
    for (int i = 0; i < architecture.blocks; ++i) {
      const auto index = static_cast<size_t>(i);
      const std::string name = absl::StrCat("norm.blocks.", i);
      AddNorm(name + ".conv1", architecture.channels, norms.conv1[index]);
      AddNorm(name + ".conv2", architecture.channels, norms.conv2[index]);
    }
    AddNorm("norm.policy", architecture.policy_channels, norms.policy);
    AddNorm("norm.value", architecture.value_channels, norms.value);
  }

  TensorGroup group_;
  Network& network_;
  std::vector<TensorOf<Values>> tensors_;
};

}  // namespace

absl::string_view TensorGroupPrefix(TensorGroup group) {
  switch (group) {
    case TensorGroup::kCalibration:
      return "calibration.";
    case TensorGroup::kNorms:
      return "norm.";
    case TensorGroup::kWeights:
      break;
  }
  return "";
}

std::vector<Tensor> ListTensors(TensorGroup group, NetworkWeights* network) {
  return TensorLister<NetworkWeights>(group, *network).List();
}

std::vector<ConstTensor> ListTensors(TensorGroup group, const NetworkWeights& network) {
  return TensorLister<const NetworkWeights>(group, network).List();
}

void SetBlockCount(TensorGroup group, NetworkWeights* network) {
  const auto blocks = static_cast<size_t>(network->architecture.blocks);
  switch (group) {
    case TensorGroup::kCalibration:
      network->calibration.blocks.resize(blocks);
      break;
    case TensorGroup::kNorms:
      network->norms.conv1.resize(blocks);
      network->norms.conv2.resize(blocks);
      break;
    case TensorGroup::kWeights:
      network->blocks.resize(blocks);
      break;
  }
}

bool HasBlockCount(TensorGroup group, const NetworkWeights& network) {
  const auto blocks = static_cast<size_t>(network.architecture.blocks);
  switch (group) {
    case TensorGroup::kCalibration:
      return network.calibration.blocks.size() == blocks;
    case TensorGroup::kNorms:
      return network.norms.conv1.size() == blocks && network.norms.conv2.size() == blocks;
    case TensorGroup::kWeights:
      break;
  }
  return network.blocks.size() == blocks;
}

bool HasGroup(TensorGroup group, const NetworkWeights& network) {
  const Calibration& calibration = network.calibration;
  const NormStatistics& norms = network.norms;
  switch (group) {
    case TensorGroup::kCalibration:
      return !calibration.empty() || !calibration.blocks.empty() || !calibration.policy.empty() ||
             !calibration.value.empty();
    case TensorGroup::kNorms:
      return !norms.empty() || !norms.conv1.empty() || !norms.conv2.empty() ||
             !norms.policy.mean.empty() || !norms.value.mean.empty();
    case TensorGroup::kWeights:
      break;
  }
  return true;
}

absl::Status CheckNumbers(absl::string_view name, TensorGroup group,
                          const std::vector<float>& values) {
  const bool is_never_negative =
      group == TensorGroup::kCalibration ||
      (group == TensorGroup::kNorms && absl::EndsWith(name, ".deviation"));
  const float min = is_never_negative ? 0 : std::numeric_limits<float>::lowest();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || values[i] < min) {
      return absl::InvalidArgumentError(absl::StrCat("tensor '", name, "': number ", i, " is ",
                                                     values[i], ", expected a finite one",
                                                     is_never_negative ? " not below 0" : ""));
    }
  }
  return absl::OkStatus();
}

std::string ShapeText(const std::vector<int>& shape) {
  return absl::StrCat("[", absl::StrJoin(shape, ","), "]");
}

size_t ParameterCount(const Architecture& architecture) {
  NetworkWeights network;
  network.architecture = architecture;
  SetBlockCount(TensorGroup::kWeights, &network);
  size_t count = 0;
  for (const ConstTensor& tensor : ListTensors(TensorGroup::kWeights, std::as_const(network))) {
    count += tensor.size();
  }
  return count;
}

}  // namespace chuhe
