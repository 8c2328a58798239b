#include "tests/nets/weights/random_network.h"

#include <cstring>
#include <vector>

#include "engine/base/random.h"
#include "nets/weights/tensors.h"

namespace chuhe {

Architecture SmallestArchitecture() {
  return {.blocks = 2,
          .channels = 16,
          .policy_channels = 16,
          .value_channels = 1,
          .value_hidden = 1,
          .global_blocks = {1}};
}

NetworkWeights NetworkOfEverything(const Architecture& architecture, uint64_t seed) {
  NetworkWeights network;
  network.architecture = architecture;
  network.origin = {.rule_set = "axf",
                    .feature_set = 1,
                    .training_steps = 123456789012,
                    .parent = std::string(64, 'a'),
                    .note = "楚河 \"quoted\"\n\x01"};
  for (const TensorGroup group : kTensorGroups) {
    SetBlockCount(group, &network);
    for (const Tensor& tensor : ListTensors(group, &network)) {
      Random random(seed, StreamId(tensor.name));
      tensor.values->resize(tensor.size());
      for (float& value : *tensor.values) {
        // Eleven bits and, among weights, a sign.
        value = static_cast<float>(random.Below(2048)) * 0x1p-10F;
        if (group == TensorGroup::kWeights && random.Below(2) == 1) value = -value;
      }
    }
  }
  return network;
}

std::string DifferingTensors(const NetworkWeights& a, const NetworkWeights& b) {
  std::string names;
  for (const TensorGroup group : kTensorGroups) {
    if (!HasBlockCount(group, a) || !HasBlockCount(group, b)) {
      if (HasGroup(group, a) || HasGroup(group, b)) names += "blocks\n";
      continue;
    }
    const std::vector<ConstTensor> of_a = ListTensors(group, a);
    const std::vector<ConstTensor> of_b = ListTensors(group, b);
    for (size_t i = 0; i < of_a.size(); ++i) {
      const std::vector<float>& x = *of_a[i].values;
      const std::vector<float>& y = *of_b[i].values;
      if (x.size() != y.size() || std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) != 0) {
        names += of_a[i].name + "\n";
      }
    }
  }
  return names;
}

bool HaveEqualMetadata(const NetworkWeights& a, const NetworkWeights& b) {
  return a.architecture == b.architecture && a.origin.rule_set == b.origin.rule_set &&
         a.origin.feature_set == b.origin.feature_set &&
         a.origin.training_steps == b.origin.training_steps && a.origin.parent == b.origin.parent &&
         a.origin.note == b.origin.note;
}

}  // namespace chuhe
