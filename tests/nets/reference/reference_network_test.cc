#include "nets/reference/reference_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/reference/reference_evaluator.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

using ::testing::Each;
using ::testing::FloatNear;

constexpr int kChannels = 16;

// One block of 16 channels in which every number is 0.
NetworkWeights SilentNetwork() {
  const Architecture architecture = MakeArchitecture(1, kChannels);
  NetworkWeights network = LivelyNetwork(architecture, 1);
  const auto clear = [](std::vector<float>* values) { values->assign(values->size(), 0.0f); };
  for (ConvWeights* conv : {&network.stem, &network.blocks[0].conv1, &network.blocks[0].conv2,
                            &network.policy_conv, &network.value_conv}) {
    clear(&conv->weight);
    clear(&conv->bias);
  }
  for (LinearWeights* linear : {&network.value_hidden, &network.wdl, &network.plies_left}) {
    clear(&linear->weight);
    clear(&linear->bias);
  }
  clear(&network.policy_from);
  clear(&network.policy_to);
  clear(&network.policy_bias);
  return network;
}

// The weight of a 3×3 tap; row 2 is one rank up, column 2 one file to the right.
float& Tap(ConvWeights* conv, int inputs, int out, int in, int row, int column) {
  return conv->weight[((out * inputs + in) * 3 + row) * 3 + column];
}

struct Levels {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(static_cast<size_t>(kSquares) * kPlanes);
  uint8_t& at(Square square, int plane) { return bytes[square * kPlanes + plane]; }
};

TEST(ReferenceNetworkTest, StemLooksAtNeighbourOfItsTap) {
  NetworkWeights network = SilentNetwork();
  Tap(&network.stem, kPlanes, 3, 5, 2, 0) = 2;
  Levels levels;
  levels.at(MakeSquare(4, 7), 5) = kLevelOne / 2;
  const ForwardPass pass = ReferenceNetwork(network).Run(levels.bytes.data());
  for (Square square = 0; square < kSquares; ++square) {
    for (int c = 0; c < kChannels; ++c) {
      const bool is_hit = square == MakeSquare(5, 6) && c == 3;
      EXPECT_FLOAT_EQ(pass.stem[square * kChannels + c], is_hit ? 1.0f : 0.0f);
    }
  }
}

TEST(ReferenceNetworkTest, BoardEndsAtItsEdges) {
  NetworkWeights network = SilentNetwork();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) Tap(&network.stem, kPlanes, 0, 0, row, column) = 1;
  }
  Levels levels;
  for (Square square = 0; square < kSquares; ++square) levels.at(square, 0) = kLevelOne;
  const ForwardPass pass = ReferenceNetwork(network).Run(levels.bytes.data());
  EXPECT_FLOAT_EQ(pass.stem[MakeSquare(0, 0) * kChannels], 4);
  EXPECT_FLOAT_EQ(pass.stem[MakeSquare(8, 9) * kChannels], 4);
  EXPECT_FLOAT_EQ(pass.stem[MakeSquare(4, 0) * kChannels], 6);
  EXPECT_FLOAT_EQ(pass.stem[MakeSquare(8, 5) * kChannels], 6);
  EXPECT_FLOAT_EQ(pass.stem[MakeSquare(4, 5) * kChannels], 9);
}

TEST(ReferenceNetworkTest, BlockAddsItsInputBeforeItsLastRelu) {
  NetworkWeights network = SilentNetwork();
  network.stem.bias[0] = 3;
  network.blocks[0].conv1.bias[1] = 2;
  network.blocks[0].conv1.bias[2] = -2;  // cut off by the inner ReLU
  Tap(&network.blocks[0].conv2, kChannels, 0, 1, 1, 1) = -1;
  Tap(&network.blocks[0].conv2, kChannels, 0, 2, 1, 1) = 100;
  Tap(&network.blocks[0].conv2, kChannels, 4, 1, 1, 1) = -1;
  const ForwardPass pass = ReferenceNetwork(network).Run(Levels().bytes.data());
  const float* x = pass.blocks[0].output.data();
  EXPECT_FLOAT_EQ(x[0], 3 - 2);
  EXPECT_FLOAT_EQ(x[4], 0);
}

TEST(ReferenceNetworkTest, GlobalBlockSeesTheMeanOfItsInput) {
  NetworkWeights network = SilentNetwork();
  network.architecture.global_blocks = {0};
  network.blocks[0].global.assign(kChannels * kChannels, 0.0f);
  network.blocks[0].global[7 * kChannels + 3] = 4;  // from channel 3 to channel 7
  Tap(&network.stem, kPlanes, 3, 5, 1, 1) = 1;
  Levels levels;
  for (Square square = 0; square < kSquares / 2; ++square) levels.at(square, 5) = kLevelOne;
  const ForwardPass pass = ReferenceNetwork(network).Run(levels.bytes.data());
  for (Square square = 0; square < kSquares; ++square) {
    EXPECT_FLOAT_EQ(pass.blocks[0].inner[square * kChannels + 7], 2);
  }
}

TEST(ReferenceNetworkTest, PolicyLogitReadsBothEndsOfTheMove) {
  NetworkWeights network = SilentNetwork();
  const int channels = network.architecture.policy_channels;
  const Move move(MakeSquare(1, 0), MakeSquare(2, 2));
  const int shape = MoveShape(move);
  network.policy_from[shape * channels + 1] = 10;
  network.policy_to[shape * channels + 2] = 100;
  network.policy_bias[shape] = 0.5f;
  ForwardPass pass;
  pass.policy.resize(static_cast<size_t>(kSquares) * channels);
  pass.policy[move.from() * channels + 1] = 1;
  pass.policy[move.to() * channels + 2] = 2;
  const ReferenceNetwork reference(network);
  EXPECT_FLOAT_EQ(reference.PolicyLogit(pass, move), 210.5f);
  // The same shape elsewhere reads other points.
  EXPECT_FLOAT_EQ(reference.PolicyLogit(pass, Move(MakeSquare(4, 4), MakeSquare(5, 6))), 0.5f);
}

TEST(ReferenceNetworkTest, ValueHeadReadsPointsThenChannels) {
  NetworkWeights network = SilentNetwork();
  const Architecture& architecture = network.architecture;
  const Square square = MakeSquare(3, 6);
  Tap(&network.stem, kPlanes, 0, 5, 1, 1) = 1;
  network.value_conv.weight[2 * kChannels + 0] = 1;  // channel 0 to value channel 2
  network.value_hidden.weight[1 * kSquares * architecture.value_channels +
                              square * architecture.value_channels + 2] = 3;
  network.wdl.weight[2 * architecture.value_hidden + 1] = 1;
  network.plies_left.weight[1] = 1;
  Levels levels;
  levels.at(square, 5) = kLevelOne;
  const ForwardPass pass = ReferenceNetwork(network).Run(levels.bytes.data());
  EXPECT_FLOAT_EQ(pass.hidden[1], 3);
  EXPECT_FLOAT_EQ(pass.wdl_logits[0], 0);
  EXPECT_FLOAT_EQ(pass.wdl_logits[2], 3);
  EXPECT_FLOAT_EQ(pass.plies_left, kPliesLeftUnit * std::log1p(std::exp(3.0f)));
}

TEST(ReferenceEvaluatorTest, SilentNetworkIsEvenAboutEverything) {
  std::vector<EvaluationRequest> requests = RandomRequests(3, 1);
  ReferenceEvaluator(SilentNetwork()).Evaluate(requests);
  for (const EvaluationRequest& request : requests) {
    const auto size = static_cast<size_t>(request.moves.size);
    EXPECT_THAT(std::span(request.priors, size),
                Each(FloatNear(1 / static_cast<float>(size), 1e-6f)));
    EXPECT_FLOAT_EQ(request.wdl.win, 1.0f / 3);
    EXPECT_FLOAT_EQ(request.wdl.draw, 1.0f / 3);
  }
}

TEST(ReferenceEvaluatorTest, PriorsAndChancesSumToOne) {
  std::vector<EvaluationRequest> requests = RandomRequests(4, 2);
  ReferenceEvaluator(LivelyNetwork(MakeArchitecture(2, 32), 3)).Evaluate(requests);
  for (const EvaluationRequest& request : requests) {
    EXPECT_NEAR(std::accumulate(request.priors, request.priors + request.moves.size, 0.0f), 1,
                1e-5);
    EXPECT_NEAR(request.wdl.win + request.wdl.draw + request.wdl.loss, 1, 1e-5);
    EXPECT_GT(request.plies_left, 0);
  }
}

// The network sees the board from the side to move, so colours do not matter.
TEST(ReferenceEvaluatorTest, TurnedBoardWithColoursChangedGetsTheSameAnswer) {
  EvaluationRequest red;
  red.position = Position::Start();
  EvaluationRequest black = red;
  black.position.SwitchSide();
  GenerateLegal(red.position, &red.moves);
  GenerateLegal(black.position, &black.moves);
  ASSERT_EQ(red.moves.size, black.moves.size);
  ReferenceEvaluator evaluator(LivelyNetwork(MakeArchitecture(1, 32), 4));
  evaluator.Evaluate({&red, 1});
  evaluator.Evaluate({&black, 1});
  EXPECT_EQ(red.wdl.win, black.wdl.win);
  for (int i = 0; i < red.moves.size; ++i) {
    for (int j = 0; j < black.moves.size; ++j) {
      if (SeenBy(Color::kBlack, black.moves[j]) == red.moves[i]) {
        EXPECT_EQ(red.priors[i], black.priors[j]);
      }
    }
  }
}

}  // namespace
}  // namespace chuhe
