#include "nets/torch/weights_conversion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/reference/reference_network.h"
#include "nets/weights/initialise.h"
#include "nets/weights/tensors.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

// The input planes of positions of random games: [count, 90, 48].
torch::Tensor GameLevels(int count, uint64_t seed) {
  const std::vector<EvaluationRequest> requests = RandomRequests(count, seed);
  torch::Tensor levels = torch::zeros({count, kSquares, kPlanes}, torch::kByte);
  for (int i = 0; i < count; ++i) {
    ExpandPlanes(Pack(requests[i]), levels[i].mutable_data_ptr<uint8_t>());
  }
  return levels;
}

std::vector<Architecture> Architectures() {
  Architecture global = MakeArchitecture(3, 48);
  global.global_blocks = {0, 2};
  return {MakeArchitecture(1, 16), global,
          Architecture{.blocks = 2,
                       .channels = 80,
                       .policy_channels = 32,
                       .value_channels = 3,
                       .value_hidden = 5,
                       .global_blocks = {1}}};
}

// Norms as training leaves them: nothing is 0 or 1, one channel is dead, some signs are turned.
void DisturbNorms(TorchNetwork* network) {
  const torch::NoGradGuard no_grad;
  Random random(1, StreamId("norms"));
  const auto fill = [&random](float least, float most, torch::Tensor* tensor) {
    float* values = tensor->mutable_data_ptr<float>();
    for (int64_t i = 0; i < tensor->numel(); ++i) {
      values[i] = least + (most - least) * static_cast<float>(random.UniformDouble());
    }
  };
  for (const auto& module : network->modules(/*include_self=*/false)) {
    if (auto* norm = module->as<torch::nn::BatchNorm2dImpl>()) {
      fill(-0.5f, 0.5f, &norm->running_mean);
      fill(0.3f, 2, &norm->running_var);
      fill(-0.2f, 0.7f, &norm->weight);
      fill(-0.3f, 0.3f, &norm->bias);
      norm->running_var[0].zero_();
      norm->weight[0].fill_(1e-3f);
    }
  }
}

NetworkWeights Export(const TorchNetwork& network) {
  absl::StatusOr<NetworkWeights> weights = ToWeights(network, {});
  EXPECT_TRUE(weights.ok()) << weights.status();
  return weights.ok() ? *std::move(weights) : NetworkWeights{};
}

std::shared_ptr<TorchNetwork> Import(const NetworkWeights& weights,
                                     const TorchNetworkOptions& options = {}) {
  auto network = FromWeights(weights, options);
  EXPECT_TRUE(network.ok()) << network.status();
  return network.ok() ? *std::move(network) : nullptr;
}

void ExpectSameOutputs(const TorchNetworkOutput& a, const TorchNetworkOutput& b, double tolerance) {
  EXPECT_TRUE(a.policy.allclose(b.policy, tolerance, tolerance));
  EXPECT_TRUE(a.wdl.allclose(b.wdl, tolerance, tolerance));
  EXPECT_TRUE(a.plies_left.allclose(b.plies_left, tolerance, tolerance));
}

// The oracle computes from the weights what the module computes.
void ExpectAsTheReference(const NetworkWeights& weights, TorchNetwork* network) {
  const torch::NoGradGuard no_grad;
  network->eval();
  const torch::Tensor levels = GameLevels(3, 7);
  const TorchNetworkOutput output = network->Forward(levels);
  const ReferenceNetwork reference(weights);
  for (int i = 0; i < 3; ++i) {
    const ForwardPass pass = reference.Run(levels[i].const_data_ptr<uint8_t>());
    for (int move = 0; move < kPolicyMoves; ++move) {
      const float expected = reference.PolicyLogit(pass, PolicyMove(move));
      ASSERT_NEAR(output.policy[i][move].item<float>(), expected, 1e-4 + 1e-5 * std::abs(expected));
    }
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(output.wdl[i][j].item<float>(), pass.wdl_logits[j], 1e-4);
    }
    EXPECT_NEAR(output.plies_left[i].item<float>() / pass.plies_left, 1, 1e-4);
  }
}

TEST(FromWeightsTest, ComputesAsTheReference) {
  for (const Architecture& architecture : Architectures()) {
    SCOPED_TRACE(ArchitectureName(architecture));
    const NetworkWeights weights = LivelyNetwork(architecture, 1);
    ExpectAsTheReference(weights, Import(weights).get());
  }
}

TEST(ToWeightsTest, FoldsBatchNorm) {
  for (const Architecture& architecture : Architectures()) {
    SCOPED_TRACE(ArchitectureName(architecture));
    TorchNetwork network(architecture, {.seed = 2});
    DisturbNorms(&network);
    ExpectAsTheReference(Export(network), &network);
  }
}

TEST(ToWeightsTest, CopiesTheOrigin) {
  const TorchNetwork network(MakeArchitecture(1, 16), {});
  const auto weights =
      ToWeights(network, {.rule_set = "axf", .training_steps = 12, .parent = "ab", .note = "x"});
  ASSERT_TRUE(weights.ok()) << weights.status();
  EXPECT_EQ(weights->origin.rule_set, "axf");
  EXPECT_EQ(weights->origin.training_steps, 12);
  EXPECT_EQ(weights->origin.parent, "ab");
  EXPECT_EQ(weights->origin.note, "x");
  EXPECT_EQ(weights->architecture, network.architecture());
  EXPECT_TRUE(weights->calibration.empty());
}

TEST(WeightsConversionTest, WeightsComeBack) {
  for (const Architecture& architecture : Architectures()) {
    TorchNetwork network(architecture, {.seed = 3});
    DisturbNorms(&network);
    const NetworkWeights weights = Export(network);
    const NetworkWeights again = Export(*Import(weights));
    for (const TensorGroup group : {TensorGroup::kWeights, TensorGroup::kNorms}) {
      const auto before = ListTensors(group, weights);
      const auto after = ListTensors(group, again);
      ASSERT_EQ(before.size(), after.size());
      for (size_t i = 0; i < before.size(); ++i) {
        EXPECT_THAT(*after[i].values,
                    testing::Pointwise(testing::FloatNear(1e-5f), *before[i].values))
            << before[i].name;
      }
    }
  }
}

// What goes on training from a file computes what went on without: batch by batch, and its averages
// are the same.
TEST(WeightsConversionTest, TrainingGoesOnFromAFile) {
  for (const Architecture& architecture : Architectures()) {
    SCOPED_TRACE(ArchitectureName(architecture));
    TorchNetwork network(architecture, {.seed = 4});
    const torch::NoGradGuard no_grad;
    network.train();
    for (int i = 0; i < 10; ++i) network.Forward(GameLevels(8, 100 + i));
    const std::shared_ptr<TorchNetwork> imported = Import(Export(network));
    const torch::Tensor levels = GameLevels(8, 9);
    imported->train();
    ExpectSameOutputs(imported->Forward(levels), network.Forward(levels), 2e-3);
    imported->eval();
    network.eval();
    ExpectSameOutputs(imported->Forward(levels), network.Forward(levels), 2e-3);
  }
}

// Steps of training turn what is small further than what is large, and folding makes kernels small.
TEST(FromWeightsTest, KernelsHaveTheSizeOfTrainedOnesWhateverFoldingMadeOfThem) {
  TorchNetwork trained(MakeArchitecture(2, 16), {.seed = 5});
  const torch::NoGradGuard no_grad;
  const auto conv1 = [](const TorchNetwork& network) { return network.blocks[1]->conv1; };
  conv1(trained)->norm->weight.fill_(1e-2f);
  conv1(trained)->norm->weight[3].fill_(3);
  conv1(trained)->conv->weight[5].zero_();
  conv1(trained)->norm->running_var[5].zero_();
  const auto imported = Import(Export(trained));
  const torch::Tensor& kernel = conv1(*imported)->conv->weight;
  for (int channel = 0; channel < 16; ++channel) {
    const double size = std::sqrt(kernel[channel].square().mean().item<double>());
    if (channel == 5) {
      EXPECT_EQ(size, 0);
    } else {
      EXPECT_GE(size, 0.2 / std::sqrt(2.1));
      EXPECT_LE(size, 0.2 * std::sqrt(2.1));
    }
  }
  trained.eval();
  imported->eval();
  const torch::Tensor levels = GameLevels(8, 9);
  ExpectSameOutputs(imported->Forward(levels), trained.Forward(levels), 1e-4);
}

TEST(FromWeightsTest, MakesTrainingHeadsFromTheSeed) {
  const NetworkWeights weights = LivelyNetwork(MakeArchitecture(1, 16), 1);
  const auto first = Import(weights, {.seed = 1});
  const auto second = Import(weights, {.seed = 2});
  EXPECT_TRUE(first->policy->from->weight.equal(second->policy->from->weight));
  EXPECT_FALSE(first->reply->from->weight.equal(second->reply->from->weight));
  EXPECT_TRUE(Import(weights, {.has_reply_head = false})->reply == nullptr);
}

// Weights without statistics are those of a network that has not been trained.
TEST(FromWeightsTest, BeginsNetworksWithoutStatisticsWithNearlyIdenticalBlocks) {
  const auto network = Import(LivelyNetwork(MakeArchitecture(2, 16), 1));
  network->train();
  const torch::NoGradGuard no_grad;
  const torch::Tensor x = torch::relu(network->stem->Forward(PlanesFromLevels(GameLevels(8, 1))));
  for (const auto& block : network->blocks) {
    const torch::Tensor change = block->conv2->Forward(torch::relu(block->conv1->Forward(x)));
    EXPECT_NEAR(change.std({0, 2, 3}).mean().item<float>(), kFreshResidualScale,
                0.2 * kFreshResidualScale);
  }
}

TEST(FromWeightsTest, RefusesWeightsThatDoNotFit) {
  const TorchNetwork network(MakeArchitecture(2, 16), {});
  const NetworkWeights good = Export(network);
  NetworkWeights weights = good;
  weights.value_hidden.weight.push_back(0);
  EXPECT_THAT(std::string(FromWeights(weights, {}).status().message()),
              testing::HasSubstr("value.hidden.weight"));
  weights = good;
  weights.norms.conv2.pop_back();
  EXPECT_EQ(FromWeights(weights, {}).status().code(), absl::StatusCode::kInvalidArgument);
  weights = good;
  weights.norms.conv2[1].deviation.clear();
  EXPECT_THAT(std::string(FromWeights(weights, {}).status().message()),
              testing::HasSubstr("conv2.deviation"));
  weights = good;
  weights.origin.feature_set = 7;
  EXPECT_THAT(std::string(FromWeights(weights, {}).status().message()),
              testing::HasSubstr("feature set 7"));
}

TEST(ToWeightsTest, NamesATensorWithNumbersThatAreNotFinite) {
  TorchNetwork network(MakeArchitecture(2, 16), {});
  const torch::NoGradGuard no_grad;
  network.blocks[1]->conv2->conv->weight[3][2][1][0] = std::numeric_limits<float>::quiet_NaN();
  const auto weights = ToWeights(network, {});
  EXPECT_EQ(weights.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(weights.status().message()), testing::HasSubstr("blocks.1.conv2.weight"));
}

}  // namespace
}  // namespace chuhe
