#include "nets/cuda/prepared_network.h"

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/cuda/element.h"
#include "nets/cuda/network_layout.h"
#include "nets/features/policy.h"
#include "tests/nets/cuda/answers_comparison.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

constexpr int kChannels = 16;
constexpr int kPolicyChannels = 32;
constexpr int kValueChannels = 3;
constexpr int kHidden = 5;

Architecture TestArchitecture() {
  return {.blocks = 2,
          .channels = kChannels,
          .policy_channels = kPolicyChannels,
          .value_channels = kValueChannels,
          .value_hidden = kHidden,
          .global_blocks = {1}};
}

PreparedNetwork Prepare(const NetworkWeights& weights, CudaPrecision precision) {
  return PreparedNetwork::Make(weights, precision).value();
}

// Reads numbers of type T from a place.
template <typename T>
class Place {
 public:
  Place(const PreparedNetwork& network, uint64_t offset)
      : bytes_(network.bytes().data() + offset) {}
  T operator[](size_t index) const {
    T value;
    std::memcpy(&value, bytes_ + index * sizeof(T), sizeof(T));
    return value;
  }

 private:
  const std::byte* bytes_;
};

TEST(NetworkLayoutTest, PlacesAreAlignedAndDoNotOverlap) {
  for (const int half : {0, 1}) {
    const int32_t global_blocks[] = {1};
    const CudaApiShape shape = {.blocks = 2,
                                .channels = kChannels,
                                .policy_channels = kPolicyChannels,
                                .value_channels = kValueChannels,
                                .value_hidden = kHidden,
                                .half_precision = half,
                                .global_block_count = 1,
                                .global_blocks = global_blocks};
    const NetworkLayout layout = MakeNetworkLayout(shape);
    const size_t element = half == 1 ? 2 : 4;
    EXPECT_EQ(layout.element_bytes, element);
    std::map<uint64_t, size_t> sizes;  // by place
    const auto add = [&sizes](uint64_t place, size_t bytes) {
      EXPECT_TRUE(sizes.emplace(place, bytes).second) << place;
    };
    const auto add_convolution = [&](const ConvolutionPlace& place) {
      add(place.weight, element * place.out * place.in * place.kernel * place.kernel);
      add(place.bias, element * place.out);
    };
    add_convolution(layout.stem);
    for (const BlockPlace& block : layout.blocks) {
      add_convolution(block.conv1);
      add_convolution(block.conv2);
    }
    EXPECT_FALSE(layout.blocks[0].has_global);
    ASSERT_TRUE(layout.blocks[1].has_global);
    add(layout.blocks[1].global, element * kChannels * kChannels);
    add_convolution(layout.heads);
    add(layout.policy_from, element * kMoveShapes * kPolicyChannels);
    add(layout.policy_to, element * kMoveShapes * kPolicyChannels);
    add(layout.policy_bias, sizeof(float) * kMoveShapes);
    add(layout.policy_table, size_t{4} * kPolicyMoves);
    add(layout.hidden_weight, element * kHidden * kSquares * 8);
    add(layout.hidden_bias, sizeof(float) * kHidden);
    add(layout.outcome_weight, sizeof(float) * 4 * kHidden);
    add(layout.outcome_bias, sizeof(float) * 4);
    uint64_t end = 0;
    for (const auto& [place, size] : sizes) {
      EXPECT_EQ(place % 256, 0u);
      EXPECT_GE(place, end);
      end = place + size;
    }
    EXPECT_LE(end, layout.bytes);
  }
}

TEST(NetworkLayoutTest, ChannelsOfTensorsAreMultiplesOfEight) {
  const NetworkLayout layout = MakeNetworkLayout(
      Prepare(LivelyNetwork(TestArchitecture(), 1), CudaPrecision::kFloat16).shape());
  EXPECT_EQ(layout.value_channels, 8);
  EXPECT_EQ(layout.heads.out, kPolicyChannels + 8);
  EXPECT_EQ(layout.stem.in % 8, 0);
}

TEST(PreparedNetworkTest, ConvolutionsLieChannelsLast) {
  const NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  const PreparedNetwork network = Prepare(weights, CudaPrecision::kFloat32);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  const ConvolutionPlace& place = layout.blocks[1].conv2;
  const Place<float> weight(network, place.weight);
  const Place<float> bias(network, place.bias);
  const ConvWeights& conv = weights.blocks[1].conv2;
  size_t index = 0;
  for (int out = 0; out < kChannels; ++out) {
    EXPECT_EQ(bias[out], conv.bias[out]);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        for (int in = 0; in < kChannels; ++in) {
          ASSERT_EQ(weight[index++], conv.weight[((out * kChannels + in) * 3 + row) * 3 + column]);
        }
      }
    }
  }
}

TEST(PreparedNetworkTest, TheStemMakesUpForTheInputsDivisor) {
  const NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  const PreparedNetwork network = Prepare(weights, CudaPrecision::kFloat32);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  const Place<float> weight(network, layout.stem.weight);
  // A level times its weight, as network_weights.h and as the device has it.
  EXPECT_FLOAT_EQ(weight[0] / 128, weights.stem.weight[0] / 120);
  EXPECT_FLOAT_EQ(weight[1] / 128, weights.stem.weight[9] / 120);
  EXPECT_EQ(Place<float>(network, layout.stem.bias)[3], weights.stem.bias[3]);
}

TEST(PreparedNetworkTest, GlobalWeightsAreTurned) {
  const NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  const PreparedNetwork network = Prepare(weights, CudaPrecision::kFloat32);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  const Place<float> global(network, layout.blocks[1].global);
  for (int in = 0; in < kChannels; ++in) {
    for (int out = 0; out < kChannels; ++out) {
      ASSERT_EQ(global[in * kChannels + out], weights.blocks[1].global[out * kChannels + in]);
    }
  }
}

TEST(PreparedNetworkTest, HeadsAreOneConvolutionFilledUpWithZeros) {
  const NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  const PreparedNetwork network = Prepare(weights, CudaPrecision::kFloat32);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  const Place<float> weight(network, layout.heads.weight);
  const Place<float> bias(network, layout.heads.bias);
  for (int out = 0; out < layout.heads.out; ++out) {
    const int value_out = out - kPolicyChannels;
    const ConvWeights& conv = value_out < 0 ? weights.policy_conv : weights.value_conv;
    const int row = value_out < 0 ? out : value_out;
    const bool is_there = value_out < kValueChannels;
    EXPECT_EQ(bias[out], is_there ? conv.bias[row] : 0);
    for (int in = 0; in < kChannels; ++in) {
      ASSERT_EQ(weight[out * kChannels + in], is_there ? conv.weight[row * kChannels + in] : 0);
    }
  }
}

TEST(PreparedNetworkTest, HiddenWeightsAreWidenedAtEveryPoint) {
  const NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  const PreparedNetwork network = Prepare(weights, CudaPrecision::kFloat32);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  const Place<float> weight(network, layout.hidden_weight);
  for (int hidden = 0; hidden < kHidden; ++hidden) {
    for (int point = 0; point < kSquares; ++point) {
      for (int channel = 0; channel < 8; ++channel) {
        const size_t source = (hidden * kSquares + point) * kValueChannels + channel;
        ASSERT_EQ(weight[(hidden * kSquares + point) * 8 + channel],
                  channel < kValueChannels ? weights.value_hidden.weight[source] : 0);
      }
    }
  }
}

TEST(PreparedNetworkTest, OutcomesAreWinDrawLossAndPliesLeft) {
  const NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  const PreparedNetwork network = Prepare(weights, CudaPrecision::kFloat16);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  // Stays in float.
  const Place<float> weight(network, layout.outcome_weight);
  const Place<float> bias(network, layout.outcome_bias);
  for (int outcome = 0; outcome < 4; ++outcome) {
    EXPECT_EQ(bias[outcome], outcome < 3 ? weights.wdl.bias[outcome] : weights.plies_left.bias[0]);
    for (int i = 0; i < kHidden; ++i) {
      EXPECT_EQ(weight[outcome * kHidden + i], outcome < 3
                                                   ? weights.wdl.weight[outcome * kHidden + i]
                                                   : weights.plies_left.weight[i]);
    }
  }
}

TEST(PreparedNetworkTest, TableNamesPointsAndShapeOfEveryMove) {
  const PreparedNetwork network =
      Prepare(LivelyNetwork(TestArchitecture(), 1), CudaPrecision::kFloat16);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  const Place<PolicyTableEntry> table(network, layout.policy_table);
  for (int i = 0; i < kPolicyMoves; ++i) {
    const PolicyTableEntry entry = table[i];
    const Move move(entry.from, entry.to);
    EXPECT_EQ(PolicyIndex(move), i);
    EXPECT_EQ(MoveShape(move), entry.shape);
  }
}

TEST(PreparedNetworkTest, HalfPrecisionIsTheNearest) {
  const NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  const PreparedNetwork network = Prepare(weights, CudaPrecision::kFloat16);
  EXPECT_EQ(network.shape().half_precision, 1);
  const NetworkLayout layout = MakeNetworkLayout(network.shape());
  const Place<Half> from(network, layout.policy_from);
  for (size_t i = 0; i < weights.policy_from.size(); ++i) {
    const float expected = weights.policy_from[i];
    ASSERT_EQ(from[i].bits, FromFloat<Half>(expected).bits);
    ASSERT_NEAR(ToFloat(from[i]), expected, std::abs(expected) * 0x1p-11f + 0x1p-25f);
  }
}

TEST(PreparedNetworkTest, NamesTheTensorThatHalfPrecisionDoesNotReach) {
  const NetworkWeights good = LivelyNetwork(TestArchitecture(), 1);
  const struct {
    float (*change)(NetworkWeights*);  // returns the number
    const char* name;
  } cases[] = {
      {[](NetworkWeights* w) { return w->stem.weight[7] = -65000; }, "stem.weight"},
      {[](NetworkWeights* w) { return w->blocks[0].conv2.bias[1] = 65505; }, "blocks.0.conv2.bias"},
      {[](NetworkWeights* w) { return w->blocks[1].global[3] = 1e9f; }, "blocks.1.global"},
      {[](NetworkWeights* w) { return w->value_hidden.weight[0] = 7e4f; }, "value.hidden.weight"},
      {[](NetworkWeights* w) { return w->policy_to[0] = -1e5f; }, "policy.to.weight"},
  };
  for (const auto& bad : cases) {
    NetworkWeights weights = good;
    bad.change(&weights);
    const absl::Status status = PreparedNetwork::Make(weights, CudaPrecision::kFloat16).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string("tensor ") + bad.name));
    EXPECT_TRUE(PreparedNetwork::Make(weights, CudaPrecision::kFloat32).ok()) << bad.name;
  }
}

TEST(PreparedNetworkTest, RefusesHalfPrecisionWhereCalibrationSawLargeValues) {
  NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  weights.calibration.stem.assign(kChannels, 1);
  weights.calibration.blocks.resize(2);
  for (Calibration::Block& block : weights.calibration.blocks) {
    block.inner.assign(kChannels, 1);
    block.output.assign(kChannels, 1);
  }
  EXPECT_TRUE(PreparedNetwork::Make(weights, CudaPrecision::kFloat16).ok());
  weights.calibration.blocks[1].output[2] = 40000;
  const absl::Status status = PreparedNetwork::Make(weights, CudaPrecision::kFloat16).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("block 1 reach 40000"));
  EXPECT_TRUE(PreparedNetwork::Make(weights, CudaPrecision::kFloat32).ok());
}

TEST(PreparedNetworkTest, RefusesArraysOfAnotherSize) {
  NetworkWeights weights = LivelyNetwork(TestArchitecture(), 1);
  weights.blocks[0].conv1.weight.pop_back();
  const absl::Status status = PreparedNetwork::Make(weights, CudaPrecision::kFloat32).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("tensor blocks.0.conv1.weight has 2303"));
  weights.blocks.pop_back();
  EXPECT_THAT(
      std::string(PreparedNetwork::Make(weights, CudaPrecision::kFloat32).status().message()),
      HasSubstr("1 blocks"));
}

}  // namespace
}  // namespace chuhe
