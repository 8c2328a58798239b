#include "nets/weights/initialise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "engine/board/types.h"
#include "engine/eval/evaluator.h"
#include "engine/rules/game.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/reference/reference_network.h"
#include "nets/weights/sha256.h"
#include "nets/weights/tensors.h"
#include "nets/weights/weights_file.h"
#include "tests/nets/weights/random_network.h"

namespace chuhe {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Gt;
using ::testing::Lt;

struct Moments {
  double mean = 0;
  double deviation = 0;
  double kurtosis = 0;
};

Moments MomentsOf(const std::vector<float>& values) {
  const auto count = static_cast<double>(values.size());
  Moments moments;
  for (const float value : values) moments.mean += value / count;
  double fourth = 0;
  double second = 0;
  for (const float value : values) {
    const double square = (value - moments.mean) * (value - moments.mean);
    second += square / count;
    fourth += square * square / count;
  }
  moments.deviation = std::sqrt(second);
  moments.kurtosis = fourth / (second * second);
  return moments;
}

TEST(InitialNetworkTest, IsTheSameEverywhere) {
  NetworkWeights network = InitialNetwork(MakeArchitecture(2, 32), 12345);
  std::string text;
  for (const Tensor& tensor : ListTensors(TensorGroup::kWeights, &network)) {
    for (const float value : *tensor.values) {
      absl::StrAppend(&text, absl::Hex(std::bit_cast<uint32_t>(value)), " ");
    }
  }
  // What every machine and compiler must get.
  EXPECT_EQ(Sha256Hex(text), "e1971162459c8105889450bb8e22e0fb376d8636aa1ee897c7f77ef9a36f2da1");
}

TEST(InitialNetworkTest, SeedsAndTensorsHaveNumbersOfTheirOwn) {
  const Architecture architecture = MakeArchitecture(2, 32);
  const NetworkWeights one = InitialNetwork(architecture, 1);
  EXPECT_EQ(DifferingTensors(one, InitialNetwork(architecture, 1)), "");
  EXPECT_NE(one.stem.weight, InitialNetwork(architecture, 2).stem.weight);
  EXPECT_NE(one.blocks[0].conv1.weight, one.blocks[1].conv1.weight);
  EXPECT_NE(one.policy_from, one.policy_to);
}

TEST(InitialNetworkTest, NumbersAreNormalWithTheDeviationOfTheirLayer) {
  Architecture architecture = MakeArchitecture(4, 64);
  architecture.global_blocks = {2};
  const NetworkWeights network = InitialNetwork(architecture, 7);
  const double conv_inputs = 64 * 9;
  const struct {
    const std::vector<float>& values;
    double deviation;
  } kCases[] = {
      {network.stem.weight, 4 * std::sqrt(2.0 / (48 * 9))},
      {network.blocks[0].conv1.weight, std::sqrt(2 / conv_inputs)},
      {network.blocks[3].conv2.weight, std::sqrt(1 / conv_inputs / 4)},
      {network.blocks[2].global, 0.5 * std::sqrt(1.0 / 64)},
      {network.policy_conv.weight, std::sqrt(2.0 / 64)},
      {network.policy_from, 0.1 * std::sqrt(1.0 / 64)},
      {network.policy_to, 0.1 * std::sqrt(1.0 / 64)},
      {network.value_hidden.weight, std::sqrt(2.0 / 720)},
  };
  for (const auto& test : kCases) {
    const Moments moments = MomentsOf(test.values);
    const double tolerance = 4 / std::sqrt(static_cast<double>(test.values.size()));
    EXPECT_NEAR(moments.mean, 0, tolerance * test.deviation);
    EXPECT_NEAR(moments.deviation, test.deviation, tolerance * test.deviation);
    EXPECT_NEAR(moments.kurtosis, 2.9, 6 * tolerance);  // of twelve uniform numbers
  }
}

TEST(InitialNetworkTest, BiasesAreZeroButForTheLengthOfGames) {
  NetworkWeights network = InitialNetwork(MakeArchitecture(3, 32), 7);
  EXPECT_NEAR(kPliesLeftUnit * std::log1p(std::exp(network.plies_left.bias.at(0))), 60, 0.01);
  network.plies_left.bias = {0};
  int biases = 0;
  for (const Tensor& tensor : ListTensors(TensorGroup::kWeights, &network)) {
    if (tensor.name.find("bias") == std::string::npos) continue;
    ++biases;
    EXPECT_EQ(*tensor.values, std::vector<float>(tensor.size(), 0.0F)) << tensor.name;
  }
  EXPECT_EQ(biases, 1 + 3 * 2 + 2 + 4);
  EXPECT_TRUE(network.calibration.empty());
  EXPECT_TRUE(network.norms.empty());
}

TEST(InitialNetworkTest, EverySizeCanBeStoredInSixteenBits) {
  for (const char* size : {"tiny", "1x16", "64x16"}) {
    const NetworkWeights network = InitialNetwork(ParseArchitecture(size).value(), 1);
    EXPECT_TRUE(SerializeNetwork(network, StorageType::kFloat16).ok()) << size;
  }
}

// A question from a game of random moves.
EvaluationRequest RandomRequest(Random* random) {
  EvaluationRequest request;
  Game game(Position::Start());
  for (uint64_t plies = random->Below(60); plies > 0; --plies) {
    GenerateLegal(game.position(), &request.moves);
    if (request.moves.size == 0) break;
    const auto count = static_cast<uint64_t>(request.moves.size);
    game.Make(request.moves[static_cast<int>(random->Below(count))]);
  }
  request.SetPosition(game);
  GenerateLegal(game.position(), &request.moves);
  return request;
}

double MeanSquare(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * value;
  return sum / static_cast<double>(values.size());
}

TEST(InitialNetworkTest, ValuesStaySaneThroughADeepTowerAndAnswersAreEven) {
  Architecture architecture = MakeArchitecture(20, 32);
  architecture.global_blocks = {5, 12};
  const ReferenceNetwork network(InitialNetwork(architecture, 3));
  Random random(4);
  for (int i = 0; i < 4; ++i) {
    const EvaluationRequest request = RandomRequest(&random);
    std::vector<uint8_t> levels(kSquares * kPlanes);
    ExpandPlanes(Pack(request), levels.data());
    const ForwardPass pass = network.Run(levels.data());

    std::vector<double> mean_squares = {MeanSquare(pass.stem), MeanSquare(pass.policy),
                                        MeanSquare(pass.value), MeanSquare(pass.hidden)};
    for (const ForwardPass::Block& block : pass.blocks) {
      mean_squares.push_back(MeanSquare(block.inner));
      mean_squares.push_back(MeanSquare(block.output));
    }
    EXPECT_THAT(mean_squares, Each(AllOf(Gt(0.2), Lt(5.0))));

    std::vector<float> logits;
    for (const Move move : request.moves) {
      logits.push_back(network.PolicyLogit(pass, SeenBy(request.position.side_to_move(), move)));
    }
    EXPECT_THAT(logits, Each(AllOf(Gt(-1.0F), Lt(1.0F))));
    EXPECT_THAT(pass.wdl_logits, Each(AllOf(Gt(-1.0F), Lt(1.0F))));
    EXPECT_NEAR(pass.plies_left, 60, 20);
  }
}

}  // namespace
}  // namespace chuhe
