#include "nets/weights/grow.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/types.h"
#include "nets/weights/initialise.h"
#include "nets/weights/tensors.h"

namespace chuhe {
namespace {

// Where block `block` of `from` stands among `to`.
int NewPlace(int block, int from, int to) { return block * to / from; }

// The name that a tensor of the old network has in the new one: `…blocks.2.conv1…` moves.
std::string NewName(const std::string& name, int from, int to) {
  const std::string blocks = "blocks.";
  const size_t found = name.find(blocks);
  if (found == std::string::npos) return name;
  const size_t begin = found + blocks.size();
  const size_t end = name.find('.', begin);
  const int block = std::stoi(name.substr(begin, end - begin));
  return absl::StrCat(name.substr(0, begin), NewPlace(block, from, to), name.substr(end));
}

// Dimensions in which a larger network's tensor begins with the smaller one's.
std::vector<int> GrowingShape(const std::string& name, std::vector<int> shape) {
  // [hidden][90 · channels] is [hidden][point][channel].
  if (name == "value.hidden.weight") return {shape[0], kSquares, shape[1] / kSquares};
  return shape;
}

// Puts the old tensor into the first corner of the new one. What else the old outputs read is 0;
// the new outputs stay as they are.
void PlaceInCorner(const std::vector<int>& old_shape, const std::vector<float>& old_values,
                   const std::vector<int>& shape, std::vector<float>* values) {
  std::vector<int> at(shape.size());
  size_t next_old = 0;
  for (float& value : *values) {
    const bool is_old = std::equal(at.begin(), at.end(), old_shape.begin(), std::less<>());
    if (is_old) {
      value = old_values[next_old++];
    } else if (at[0] < old_shape[0]) {
      value = 0;
    }
    for (size_t i = at.size(); i-- > 0;) {
      if (++at[i] < shape[i]) break;
      at[i] = 0;
    }
  }
}

// Norms of a network of random numbers, as training takes them to be.
void SetFreshNorms(NetworkWeights* network) {
  SetBlockCount(TensorGroup::kNorms, network);
  for (const Tensor& tensor : ListTensors(TensorGroup::kNorms, network)) {
    float value = 0;
    if (absl::EndsWith(tensor.name, ".deviation")) {
      value = absl::EndsWith(tensor.name, ".conv2.deviation")
                  ? static_cast<float>(kFreshResidualScale)
                  : 1;
    }
    tensor.values->assign(tensor.size(), value);
  }
}

// Second convolutions write little into the channels that are new, and nothing into the old ones.
void QuietenBlocks(int old_channels, NetworkWeights* network) {
  const auto inputs = static_cast<size_t>(network->architecture.channels) * 9;
  for (BlockWeights& block : network->blocks) {
    std::vector<float>& weight = block.conv2.weight;
    for (size_t i = 0; i < weight.size(); ++i) {
      const bool is_old = i / inputs < static_cast<size_t>(old_channels);
      weight[i] *= is_old ? 0.0F : static_cast<float>(kFreshResidualScale);
    }
  }
}

absl::StatusOr<Architecture> GrownArchitecture(const Architecture& from, int blocks, int channels) {
  Architecture to = MakeArchitecture(blocks, channels);
  const auto cannot = [&](absl::string_view what, int is, int was) {
    return absl::InvalidArgumentError(
        absl::StrCat("a network of ", ArchitectureName(from), " cannot grow to ", blocks, "x",
                     channels, ": ", what, " would be ", is, ", expected ", was, " or more"));
  };
  if (blocks < from.blocks) return cannot("blocks", blocks, from.blocks);
  if (channels < from.channels) return cannot("channels", channels, from.channels);
  if (to.policy_channels < from.policy_channels) {
    return cannot("channels of the policy head", to.policy_channels, from.policy_channels);
  }
  if (to.value_channels < from.value_channels) {
    return cannot("channels of the value head", to.value_channels, from.value_channels);
  }
  if (to.value_hidden < from.value_hidden) {
    return cannot("the hidden layer of the value head", to.value_hidden, from.value_hidden);
  }
  for (const int block : from.global_blocks) {
    to.global_blocks.push_back(NewPlace(block, from.blocks, blocks));
  }
  CHUHE_RETURN_IF_ERROR(CheckArchitecture(to));
  return to;
}

}  // namespace

absl::StatusOr<NetworkWeights> GrowNetwork(const NetworkWeights& network, int blocks, int channels,
                                           uint64_t seed) {
  CHUHE_ASSIGN_OR_RETURN(const Architecture architecture,
                         GrownArchitecture(network.architecture, blocks, channels));
  NetworkWeights grown = InitialNetwork(architecture, seed);
  grown.origin = network.origin;
  QuietenBlocks(network.architecture.channels, &grown);
  std::vector<TensorGroup> groups = {TensorGroup::kWeights};
  if (HasGroup(TensorGroup::kNorms, network)) {
    SetFreshNorms(&grown);
    groups.push_back(TensorGroup::kNorms);
  }
  for (const TensorGroup group : groups) {
    std::map<std::string, ConstTensor> old;
    for (ConstTensor& tensor : ListTensors(group, network)) {
      std::string name = NewName(tensor.name, network.architecture.blocks, blocks);
      old.emplace(std::move(name), std::move(tensor));
    }
    for (const Tensor& tensor : ListTensors(group, &grown)) {
      const auto found = old.find(tensor.name);
      if (found == old.end()) continue;
      PlaceInCorner(GrowingShape(tensor.name, found->second.shape), *found->second.values,
                    GrowingShape(tensor.name, tensor.shape), tensor.values);
    }
  }
  return grown;
}

}  // namespace chuhe
