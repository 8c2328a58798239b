#include "nets/onednn/calibrate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "nets/features/planes.h"
#include "nets/features/random_positions.h"
#include "nets/reference/reference_network.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

// The greatest value of each channel.
void Raise(const std::vector<float>& map, std::vector<float>* reach) {
  for (size_t i = 0; i < map.size(); ++i) {
    float& value = (*reach)[i % reach->size()];
    value = std::max(value, map[i]);
  }
}

void ExpectNear(const std::vector<float>& actual, const std::vector<float>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-3);
}

TEST(CalibrateTest, FindsTheGreatestValuesByChannel) {
  Architecture architecture = MakeArchitecture(2, 32);
  architecture.global_blocks = {1};
  NetworkWeights network = LivelyNetwork(architecture, 2);
  const std::vector<PackedPosition> positions = RandomPositions(19, 3);
  ASSERT_TRUE(Calibrate(&network, positions).ok());

  Calibration expected = network.calibration;
  const auto clear = [](std::vector<float>* values) { values->assign(values->size(), 0.0f); };
  clear(&expected.stem);
  clear(&expected.policy);
  clear(&expected.value);
  for (Calibration::Block& block : expected.blocks) {
    clear(&block.inner);
    clear(&block.output);
  }
  const ReferenceNetwork reference(network);
  std::vector<uint8_t> levels(static_cast<size_t>(kSquares) * kPlanes);
  for (const PackedPosition& position : positions) {
    ExpandPlanes(position, levels.data());
    const ForwardPass pass = reference.Run(levels.data());
    Raise(pass.stem, &expected.stem);
    for (size_t i = 0; i < pass.blocks.size(); ++i) {
      Raise(pass.blocks[i].inner, &expected.blocks[i].inner);
      Raise(pass.blocks[i].output, &expected.blocks[i].output);
    }
    Raise(pass.policy, &expected.policy);
    Raise(pass.value, &expected.value);
  }
  ExpectNear(network.calibration.stem, expected.stem);
  ExpectNear(network.calibration.policy, expected.policy);
  ExpectNear(network.calibration.value, expected.value);
  ASSERT_EQ(network.calibration.blocks.size(), 2);
  for (size_t i = 0; i < 2; ++i) {
    ExpectNear(network.calibration.blocks[i].inner, expected.blocks[i].inner);
    ExpectNear(network.calibration.blocks[i].output, expected.blocks[i].output);
  }
}

}  // namespace
}  // namespace chuhe
