#include "nets/weights/initialise.h"

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "engine/base/random.h"
#include "nets/weights/tensors.h"

namespace chuhe {
namespace {

// What the stem's inputs lack: most planes are nearly empty, the mean square over all of them is
// about a sixteenth.
constexpr double kStemGain = 4;
constexpr double kGlobalGain = 0.5;
constexpr double kHeadGain = 0.1;
// softplus of it is 1.5 units of kPliesLeftUnit: 60 plies.
constexpr float kPliesLeftBias = 1.2475f;

// A normal deviate in units of 2^-16, but for the tails beyond six deviations: the sum of twelve
// uniform 16-bit numbers has variance 2^32 − 1. Logarithms and cosines, which the usual methods
// take, differ between machines in their last bits; this does not.
int NormalDeviate(Random& random) {
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    uint64_t bits = random.Next();
    for (int j = 0; j < 4; ++j) {
      sum += static_cast<int>(bits & 0xffff);
      bits >>= 16;
    }
  }
  return sum - 12 * 0xffff / 2;
}

// Standard deviation of a tensor's numbers; 0 for biases.
double Deviation(const Tensor& tensor, const Architecture& architecture) {
  if (absl::EndsWith(tensor.name, "bias")) {
    return 0;
  }
  double inputs = 1;
  for (size_t i = 1; i < tensor.shape.size(); ++i) inputs *= tensor.shape[i];
  const double keeping = std::sqrt(1 / inputs);
  const double keeping_with_relu = std::sqrt(2 / inputs);
  if (tensor.name == "stem.weight") {
    return kStemGain * keeping_with_relu;
  }
  if (absl::EndsWith(tensor.name, "conv2.weight")) {
    return keeping / std::sqrt(static_cast<double>(architecture.blocks));
  }
  if (absl::EndsWith(tensor.name, "global.weight")) {
    return kGlobalGain * keeping;
  }
  for (const char* head :
       {"policy.from.weight", "policy.to.weight", "value.wdl.weight", "value.plies_left.weight"}) {
    if (tensor.name == head) {
      return kHeadGain * keeping;
    }
  }
  return keeping_with_relu;
}

}  // namespace

NetworkWeights InitialNetwork(const Architecture& architecture, uint64_t seed) {
  NetworkWeights network;
  network.architecture = architecture;
  SetBlockCount(TensorGroup::kWeights, &network);
  for (const Tensor& tensor : ListTensors(TensorGroup::kWeights, &network)) {
    std::vector<float>& values = *tensor.values;
    values.assign(tensor.size(), 0.0F);
    const double unit = Deviation(tensor, architecture) / (1 << 16);
    if (unit > 0) {
      Random random(seed, StreamId(tensor.name));
      for (float& value : values) {
        value = static_cast<float>(NormalDeviate(random) * unit);
      }
    }
  }
  network.plies_left.bias = {kPliesLeftBias};
  return network;
}

}  // namespace chuhe
