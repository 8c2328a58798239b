#include "nets/torch/network.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ATen/Parallel.h"
#include "engine/base/random.h"
#include "engine/board/types.h"
#include "gtest/gtest.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "torch/nn.h"
#include "torch/optim/adamw.h"

namespace chuhe {
namespace {

// Many threads are slow on work as small as these tests'.
class OneThread : public testing::Environment {
  void SetUp() override { at::set_num_threads(1); }
};
const testing::Environment* const kOneThread = testing::AddGlobalTestEnvironment(new OneThread);

Architecture SmallWithGlobalBlock() {
  Architecture architecture = MakeArchitecture(2, 16);
  architecture.global_blocks = {1};
  return architecture;
}

// Levels [count, 90, 48], a fifth of them not zero.
torch::Tensor RandomLevels(int count, uint64_t seed) {
  Random random(seed, StreamId("levels"));
  torch::Tensor levels = torch::zeros({count, kSquares, kPlanes}, torch::kByte);
  uint8_t* bytes = levels.mutable_data_ptr<uint8_t>();
  for (int64_t i = 0; i < levels.numel(); ++i) {
    if (random.Below(5) == 0) bytes[i] = static_cast<uint8_t>(random.Below(kLevelOne + 1));
  }
  return levels;
}

// A loss with every head in it, for targets that depend on nothing but the place in the batch.
torch::Tensor LossOf(const TorchNetworkOutput& output) {
  namespace F = torch::nn::functional;
  const int64_t count = output.policy.size(0);
  const torch::Tensor number = torch::arange(count);
  torch::Tensor loss = F::cross_entropy(output.policy, number * 7 % kPolicyMoves) +
                       F::cross_entropy(output.wdl, number % 3) +
                       F::smooth_l1_loss(output.plies_left / 40, number.to(torch::kFloat) / 10);
  if (output.reply.defined()) {
    loss = loss + F::cross_entropy(output.reply, number * 13 % kPolicyMoves);
  }
  if (output.short_term_wdl.defined()) {
    loss = loss + F::cross_entropy(output.short_term_wdl, (number + 1) % 3);
  }
  if (output.survival.defined()) {
    const torch::Tensor stays =
        ((number.unsqueeze(1) + torch::arange(kSquares)) % 2).to(torch::kFloat);
    loss = loss + F::binary_cross_entropy_with_logits(output.survival, stays);
  }
  return loss;
}

TEST(TorchNetworkTest, HeadsHaveTheirShapes) {
  TorchNetwork network(SmallWithGlobalBlock(), {});
  const TorchNetworkOutput output = network.Forward(RandomLevels(3, 1));
  EXPECT_EQ(output.policy.sizes(), torch::IntArrayRef({3, kPolicyMoves}));
  EXPECT_EQ(output.wdl.sizes(), torch::IntArrayRef({3, 3}));
  EXPECT_EQ(output.plies_left.sizes(), torch::IntArrayRef({3}));
  EXPECT_EQ(output.reply.sizes(), torch::IntArrayRef({3, kPolicyMoves}));
  EXPECT_EQ(output.short_term_wdl.sizes(), torch::IntArrayRef({3, 3}));
  EXPECT_EQ(output.survival.sizes(), torch::IntArrayRef({3, kSquares}));
  EXPECT_TRUE((output.plies_left > 0).all().item<bool>());
}

TEST(TorchNetworkTest, HeadsThatAreSwitchedOffAreNotThere) {
  TorchNetwork network(
      SmallWithGlobalBlock(),
      {.has_reply_head = false, .has_short_term_head = false, .has_survival_head = false});
  const TorchNetworkOutput output = network.Forward(RandomLevels(2, 1));
  EXPECT_TRUE(output.policy.defined());
  EXPECT_FALSE(output.reply.defined());
  EXPECT_FALSE(output.short_term_wdl.defined());
  EXPECT_FALSE(output.survival.defined());
  for (const auto& item : network.named_parameters()) {
    EXPECT_EQ(item.key().rfind("reply", 0), std::string::npos);
    EXPECT_EQ(item.key().rfind("short_term", 0), std::string::npos);
    EXPECT_EQ(item.key().rfind("survival", 0), std::string::npos);
  }
}

TEST(TorchNetworkTest, SeedAloneDecidesTheNumbers) {
  torch::manual_seed(1);
  const TorchNetwork first(SmallWithGlobalBlock(), {.seed = 5});
  torch::manual_seed(2);
  const TorchNetwork second(SmallWithGlobalBlock(), {.seed = 5});
  const TorchNetwork other(SmallWithGlobalBlock(), {.seed = 6});
  const auto parameters = first.named_parameters();
  for (const auto& item : parameters) {
    EXPECT_TRUE(item.value().equal(second.named_parameters()[item.key()])) << item.key();
  }
  EXPECT_FALSE(first.stem->conv->weight.equal(other.stem->conv->weight));
  EXPECT_FALSE(first.reply->from->weight.equal(other.reply->from->weight));
}

// The two frames of the policy head, by the definition of a logit.
TEST(PolicyHeadTest, GathersMovesAsTheirOwnerSeesThem) {
  constexpr int kChannels = 16;
  PolicyHead head(kChannels, kChannels);
  head.eval();
  const torch::NoGradGuard no_grad;
  const torch::Tensor x = torch::randn({1, kChannels, kRanks, kFiles});
  const torch::Tensor p =
      torch::relu(head.conv->Forward(x)).squeeze(0).flatten(1).t();  // [90, channels]
  const torch::Tensor own = head.Forward(x, /*is_opponents=*/false);
  const torch::Tensor opponents = head.Forward(x, /*is_opponents=*/true);
  for (int i = 0; i < kPolicyMoves; i += 17) {
    const Move move = PolicyMove(i);
    const int shape = MoveShape(move);
    const auto logit = [&](int from, int to) {
      return (head.from->weight[shape].dot(p[from]) + head.to->weight[shape].dot(p[to]) +
              head.from->bias[shape])
          .item<float>();
    };
    EXPECT_NEAR(own[0][i].item<float>(), logit(move.from(), move.to()), 1e-4) << i;
    EXPECT_NEAR(opponents[0][i].item<float>(), logit(Turned(move.from()), Turned(move.to())), 1e-4)
        << i;
  }
}

// The survival head speaks of points in the order of squares.
TEST(TorchNetworkTest, SurvivalIsByPoint) {
  Architecture architecture = MakeArchitecture(1, 16);
  TorchNetwork network(architecture, {});
  network.eval();
  const torch::NoGradGuard no_grad;
  // The stem and one block see three points far.
  torch::Tensor levels = RandomLevels(1, 3);
  const torch::Tensor before = network.Forward(levels).survival;
  const Square changed = MakeSquare(8, 9);
  levels[0][changed].fill_(kLevelOne);
  const torch::Tensor change = (network.Forward(levels).survival - before).abs()[0];
  for (Square square = 0; square < kSquares; ++square) {
    if (FileOf(square) < 5 || RankOf(square) < 6) {
      EXPECT_EQ(change[square].item<float>(), 0) << int{square};
    }
  }
  EXPECT_GT(change[changed].item<float>(), 0);
}

TEST(TorchNetworkTest, FreshBlocksAreNearlyIdentitiesInTraining) {
  TorchNetwork network(SmallWithGlobalBlock(), {.seed = 2});
  network.train();
  const torch::NoGradGuard no_grad;
  const torch::Tensor x = torch::relu(network.stem->Forward(PlanesFromLevels(RandomLevels(16, 7))));
  for (const auto& block : network.blocks) {
    const torch::Tensor change = block->Forward(x) - x;
    EXPECT_GT(change.abs().max().item<float>(), 0);
    EXPECT_LT(change.pow(2).mean().item<float>(), 0.02f * x.pow(2).mean().item<float>());
  }
}

TEST(TorchNetworkTest, GradientReachesEveryParameter) {
  TorchNetwork network(SmallWithGlobalBlock(), {});
  network.train();
  LossOf(network.Forward(RandomLevels(16, 4))).backward();
  for (const auto& item : network.named_parameters()) {
    ASSERT_TRUE(item.value().grad().defined()) << item.key();
    EXPECT_GT(item.value().grad().abs().max().item<float>(), 0) << item.key();
  }
}

TEST(TorchNetworkTest, LearnsTargetsByHeart) {
  TorchNetwork network(SmallWithGlobalBlock(), {.seed = 1});
  network.train();
  torch::optim::AdamW optimizer(network.parameters(), torch::optim::AdamWOptions(3e-3));
  const torch::Tensor levels = RandomLevels(24, 5);
  float first = 0;
  float last = 0;
  for (int step = 0; step < 12; ++step) {
    optimizer.zero_grad();
    const torch::Tensor loss = LossOf(network.Forward(levels));
    loss.backward();
    optimizer.step();
    last = loss.item<float>();
    if (step == 0) first = last;
  }
  EXPECT_LT(last, 0.8f * first);
}

TEST(TorchNetworkTest, OnlyTrainingMovesTheAverages) {
  TorchNetwork network(SmallWithGlobalBlock(), {});
  const torch::NoGradGuard no_grad;
  const torch::Tensor levels = RandomLevels(8, 6);
  network.eval();
  const torch::Tensor answer = network.Forward(levels).wdl;
  EXPECT_TRUE(network.Forward(levels).wdl.equal(answer));
  EXPECT_EQ(network.stem->norm->running_mean.abs().max().item<float>(), 0);
  network.train();
  network.Forward(levels);
  EXPECT_GT(network.stem->norm->running_mean.abs().max().item<float>(), 0);
  network.eval();
  EXPECT_FALSE(network.Forward(levels).wdl.equal(answer));
}

}  // namespace
}  // namespace chuhe
