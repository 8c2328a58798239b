#include "train/network_optimizer.h"

#include <cmath>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "nets/torch/network.h"
#include "torch/serialize.h"
#include "torch/types.h"

namespace chuhe {
namespace {

TEST(NearlyOrthogonalTest, BringsAllSingularValuesNearOne) {
  torch::manual_seed(1);
  for (const int64_t rows : {8, 32, 64}) {
    const torch::Tensor made = NearlyOrthogonal(torch::randn({3, rows, 32}));
    ASSERT_EQ(made.sizes(), (std::vector<int64_t>{3, rows, 32}));
    const torch::Tensor values = at::linalg_svdvals(made);
    EXPECT_LT(values.max().item<float>(), 1.35f) << rows;
    // A square of random numbers has one singular value near zero, which five steps lift only so
    // far.
    EXPECT_GT(values.mean().item<float>(), 0.7f) << rows;
    if (rows != 32) {
      EXPECT_GT(values.min().item<float>(), 0.6f) << rows;
    }
  }
}

TEST(NearlyOrthogonalTest, KeepsDirectionsAndIgnoresLength) {
  const torch::Tensor matrix = torch::tensor({{3.0f, 0.0f}, {0.0f, -2.0f}}).unsqueeze(0);
  const torch::Tensor made = NearlyOrthogonal(matrix)[0];
  EXPECT_NEAR(made[0][0].item<float>(), 1, 0.35);
  EXPECT_NEAR(made[1][1].item<float>(), -1, 0.35);
  EXPECT_NEAR(made[0][1].item<float>(), 0, 1e-6);
  EXPECT_TRUE(torch::allclose(NearlyOrthogonal(100 * matrix)[0], made, 1e-4, 1e-5));
  EXPECT_TRUE(NearlyOrthogonal(torch::zeros({1, 4, 6})).eq(0).all().item<bool>());
}

class NetworkOptimizerTest : public ::testing::TestWithParam<OptimizerKind> {
 protected:
  NetworkOptimizerTest() { options_.optimizer = GetParam(); }

  TorchNetwork MakeNetwork() const { return TorchNetwork(MakeArchitecture(2, 16), {.seed = 7}); }
  static void MakeGradients(TorchNetwork* network, double direction) {
    for (torch::Tensor& weight : network->parameters()) {
      torch::manual_seed(weight.numel());
      weight.mutable_grad() = direction * torch::randn_like(weight);
    }
  }

  TrainerOptions options_;
};

TEST_P(NetworkOptimizerTest, StepsAgainstTheGradientByTheLearningRate) {
  options_.weight_decay = 0;
  TorchNetwork network = MakeNetwork();
  const TorchNetwork before = MakeNetwork();
  NetworkOptimizer optimizer(network, options_);
  MakeGradients(&network, 1);
  optimizer.Step(0.01);
  const auto old = before.named_parameters();
  for (const auto& item : network.named_parameters()) {
    const torch::Tensor change = item.value().detach() - old[item.key()].detach();
    EXPECT_LT((change * item.value().grad()).sum().item<double>(), 0) << item.key();
    // AdamW's first step is the rate everywhere; Muon's are a fifth of it on average.
    const double size = change.square().mean().sqrt().item<double>();
    const bool is_fifth = GetParam() == OptimizerKind::kMuon &&
                          (item.value().dim() == 4 || item.key() == "value_hidden.weight");
    EXPECT_NEAR(size, is_fifth ? 0.002 : 0.01, is_fifth ? 0.0006 : 0.0001) << item.key();
  }
}

TEST_P(NetworkOptimizerTest, DecayShrinksMatricesAndNothingElse) {
  options_.weight_decay = 10;
  TorchNetwork network = MakeNetwork();
  TorchNetwork before = MakeNetwork();
  NetworkOptimizer optimizer(network, options_);
  MakeGradients(&network, 0);
  optimizer.Step(0.01);
  const auto old = before.named_parameters();
  for (const auto& item : network.named_parameters()) {
    const double kept = item.value().dim() > 1 ? 0.9 : 1;
    EXPECT_TRUE(torch::allclose(item.value(), kept * old[item.key()], 1e-5, 1e-7)) << item.key();
  }
}

TEST_P(NetworkOptimizerTest, GoesOnFromItsArchive) {
  TorchNetwork network = MakeNetwork();
  TorchNetwork other = MakeNetwork();
  NetworkOptimizer optimizer(network, options_);
  NetworkOptimizer copy(other, options_);
  MakeGradients(&network, 1);
  optimizer.Step(0.01);
  MakeGradients(&other, 1);
  copy.Step(0.01);
  std::stringstream stream;
  torch::serialize::OutputArchive saved;
  optimizer.Save(&saved);
  saved.save_to(stream);
  torch::serialize::InputArchive archive;
  archive.load_from(stream);
  NetworkOptimizer loaded(other, options_);
  loaded.Load(&archive);
  optimizer.ZeroGradients();
  MakeGradients(&network, -0.3);
  MakeGradients(&other, -0.3);
  optimizer.Step(0.01);
  loaded.Step(0.01);
  const auto parameters = other.named_parameters();
  for (const auto& item : network.named_parameters()) {
    EXPECT_TRUE(item.value().equal(parameters[item.key()])) << item.key();
  }
}

INSTANTIATE_TEST_SUITE_P(All, NetworkOptimizerTest,
                         ::testing::Values(OptimizerKind::kAdamW, OptimizerKind::kMuon),
                         [](const auto& test) {
                           return test.param == OptimizerKind::kMuon ? "Muon" : "AdamW";
                         });

}  // namespace
}  // namespace chuhe
