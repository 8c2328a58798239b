#include "nets/weights/grow.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/board/types.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/features/random_positions.h"
#include "nets/reference/reference_network.h"
#include "nets/weights/initialise.h"
#include "nets/weights/tensors.h"
#include "tests/nets/weights/random_network.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A network with a bias in every output, and norms.
NetworkWeights Trained(const Architecture& architecture) {
  NetworkWeights network = InitialNetwork(architecture, 5);
  for (const Tensor& tensor : ListTensors(TensorGroup::kWeights, &network)) {
    if (tensor.name.find("bias") == std::string::npos) continue;
    for (size_t i = 0; i < tensor.size(); ++i) {
      (*tensor.values)[i] += 0.1F * std::sin(static_cast<float>(i + 1));
    }
  }
  SetBlockCount(TensorGroup::kNorms, &network);
  for (const Tensor& tensor : ListTensors(TensorGroup::kNorms, &network)) {
    for (size_t i = 0; i < tensor.size(); ++i) {
      tensor.values->push_back(2.0F + static_cast<float>(i));
    }
  }
  return network;
}

Architecture WithGlobalBlocks(int blocks, int channels, std::vector<int> global_blocks) {
  Architecture architecture = MakeArchitecture(blocks, channels);
  architecture.global_blocks = std::move(global_blocks);
  return architecture;
}

// Everything that the network says of a position: a logit for each move that there is, then the
// value head's numbers.
std::vector<float> Answers(const ReferenceNetwork& network, const PackedPosition& position) {
  std::vector<uint8_t> levels(kSquares * kPlanes);
  ExpandPlanes(position, levels.data());
  const ForwardPass pass = network.Run(levels.data());
  std::vector<float> answers;
  for (int i = 0; i < kPolicyMoves; ++i) {
    answers.push_back(network.PolicyLogit(pass, PolicyMove(i)));
  }
  answers.insert(answers.end(), std::begin(pass.wdl_logits), std::end(pass.wdl_logits));
  answers.push_back(pass.plies_left);
  return answers;
}

void ExpectSameAnswers(const NetworkWeights& a, const NetworkWeights& b) {
  const ReferenceNetwork one(a);
  const ReferenceNetwork other(b);
  for (const PackedPosition& position : RandomPositions(4, 9)) {
    const std::vector<float> answers = Answers(one, position);
    const auto [least, most] = std::minmax_element(answers.begin(), answers.end());
    ASSERT_GT(*most - *least, 0.1F);
    EXPECT_THAT(Answers(other, position), testing::Pointwise(testing::FloatNear(1e-4F), answers));
  }
}

TEST(GrowNetworkTest, AnswersAsBeforeInEverySize) {
  const NetworkWeights small = Trained(WithGlobalBlocks(3, 32, {0, 2}));
  for (const auto& [blocks, channels] :
       std::vector<std::pair<int, int>>{{3, 32}, {5, 32}, {3, 48}, {7, 80}}) {
    const absl::StatusOr<NetworkWeights> grown = GrowNetwork(small, blocks, channels, 1);
    ASSERT_TRUE(grown.ok()) << grown.status();
    EXPECT_EQ(ArchitectureName(grown->architecture),
              ArchitectureName(MakeArchitecture(blocks, channels)));
    ExpectSameAnswers(small, *grown);
  }
}

TEST(GrowNetworkTest, OfTheSameSizeIsTheSame) {
  NetworkWeights small = Trained(WithGlobalBlocks(2, 16, {1}));
  small.origin = {.training_steps = 7, .parent = "p", .note = "n"};
  const NetworkWeights grown = GrowNetwork(small, 2, 16, 1).value();
  EXPECT_EQ(DifferingTensors(small, grown), "");
  EXPECT_TRUE(HaveEqualMetadata(small, grown));
}

TEST(GrowNetworkTest, SpreadsBlocksWithTheirNormsAndPools) {
  const NetworkWeights small = Trained(WithGlobalBlocks(2, 16, {1}));
  const NetworkWeights grown = GrowNetwork(small, 5, 32, 1).value();
  EXPECT_THAT(grown.architecture.global_blocks, ElementsAre(2));
  const auto first = [](const std::vector<float>& values) {
    return std::vector<float>(values.begin(), values.begin() + 16);
  };
  EXPECT_EQ(first(grown.norms.conv2[0].deviation), small.norms.conv2[0].deviation);
  EXPECT_EQ(first(grown.norms.conv2[2].mean), small.norms.conv2[1].mean);
  // A new block.
  EXPECT_EQ(grown.norms.conv1[1].deviation, std::vector<float>(32, 1));
  EXPECT_EQ(grown.norms.conv2[1].deviation,
            std::vector<float>(32, static_cast<float>(kFreshResidualScale)));
  EXPECT_TRUE(grown.calibration.empty());
}

// What is new must be able to learn: its numbers differ from each other, and from another seed's.
TEST(GrowNetworkTest, NewNumbersAreOfTheSeed) {
  const NetworkWeights small = Trained(MakeArchitecture(2, 16));
  const NetworkWeights one = GrowNetwork(small, 3, 32, 1).value();
  const NetworkWeights other = GrowNetwork(small, 3, 32, 2).value();
  EXPECT_EQ(DifferingTensors(one, GrowNetwork(small, 3, 32, 1).value()), "");
  EXPECT_NE(one.stem.weight, other.stem.weight);
  EXPECT_NE(one.blocks[1].conv1.weight, other.blocks[1].conv1.weight);
  EXPECT_NE(one.blocks[1].conv2.weight, other.blocks[1].conv2.weight);
  // Channels that are new in an old layer.
  const size_t channel = size_t{32} * 9;
  const std::vector<float>& kernel = one.blocks[0].conv1.weight;
  EXPECT_FALSE(std::equal(kernel.begin() + 20 * channel, kernel.begin() + 21 * channel,
                          kernel.begin() + 21 * channel));
}

TEST(GrowNetworkTest, WithoutNormsThereAreNone) {
  const NetworkWeights grown =
      GrowNetwork(InitialNetwork(MakeArchitecture(1, 16), 1), 2, 16, 1).value();
  EXPECT_TRUE(grown.norms.empty());
}

TEST(GrowNetworkTest, NamesWhatWouldShrink) {
  const NetworkWeights network = Trained(WithGlobalBlocks(3, 32, {0, 1, 2}));
  EXPECT_THAT(std::string(GrowNetwork(network, 2, 32, 1).status().message()),
              HasSubstr("a network of 3x32 cannot grow to 2x32: blocks would be 2, expected 3"));
  EXPECT_THAT(std::string(GrowNetwork(network, 3, 16, 1).status().message()),
              HasSubstr("channels would be 16, expected 32"));
  EXPECT_THAT(std::string(GrowNetwork(network, 3, 40, 1).status().message()),
              HasSubstr("multiple of 16"));
  EXPECT_FALSE(GrowNetwork(network, 300, 32, 1).ok());
  Architecture wide = MakeArchitecture(1, 16);
  wide.value_hidden = 200;
  EXPECT_THAT(std::string(GrowNetwork(Trained(wide), 1, 32, 1).status().message()),
              HasSubstr("hidden layer"));
}

}  // namespace
}  // namespace chuhe
