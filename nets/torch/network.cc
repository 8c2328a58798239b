#include "nets/torch/network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/match.h"
#include "engine/base/random.h"
#include "engine/board/types.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/weights/initialise.h"
#include "nets/weights/network_weights.h"

namespace chuhe {
namespace {

// Map [N, C, 10, 9] to [N, 90, C]: a view, where the map is in channels-last order.
torch::Tensor ByPoint(const torch::Tensor& map) { return map.permute({0, 2, 3, 1}).flatten(1, 2); }

// Values by channel [N, C] in a form that can be added to a map.
torch::Tensor EverywhereOnBoard(const torch::Tensor& values) {
  return values.unsqueeze(-1).unsqueeze(-1);
}

// He et al., "Delving deep into rectifiers", 2015, eq. 10, for matrices and convolutions; biases
// are 0, and batch norm stays as torch made it but for residuals.
void Initialise(torch::nn::Module* module, uint64_t seed) {
  const torch::NoGradGuard no_grad;
  for (auto& item : module->named_parameters()) {
    torch::Tensor& parameter = item.value();
    if (parameter.dim() == 1) {
      if (absl::EndsWith(item.key(), "bias")) parameter.zero_();
      if (absl::EndsWith(item.key(), "conv2.norm.weight")) parameter.fill_(kFreshResidualScale);
      continue;
    }
    const double inputs = static_cast<double>(parameter.numel() / parameter.size(0));
    const double bound = std::sqrt(6 / inputs);
    Random random(seed, StreamId(item.key()));
    std::vector<float> values(static_cast<size_t>(parameter.numel()));
    for (float& value : values) {
      value = static_cast<float>(bound * (2 * random.UniformDouble() - 1));
    }
    parameter.copy_(torch::from_blob(values.data(), parameter.sizes()));
  }
}

// The order in which convolutions are fast on CPUs and on tensor cores.
void UseChannelsLast(torch::nn::Module* module) {
  for (torch::Tensor& parameter : module->parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.detach().contiguous(torch::MemoryFormat::ChannelsLast));
    }
  }
}

}  // namespace

torch::Tensor PlanesFromLevels(const torch::Tensor& levels) {
  return levels.view({-1, kRanks, kFiles, kPlanes}).permute({0, 3, 1, 2}).to(torch::kFloat) /
         kLevelOne;
}

ConvNorm::ConvNorm(int inputs, int outputs, int kernel)
    : conv(register_module(
          "conv",
          torch::nn::Conv2d(
              torch::nn::Conv2dOptions(inputs, outputs, kernel).padding(kernel / 2).bias(false)))),
      norm(register_module("norm", torch::nn::BatchNorm2d(outputs))) {}

torch::Tensor ConvNorm::Forward(const torch::Tensor& x) { return norm(conv(x)); }

ResidualBlock::ResidualBlock(int channels, bool is_global)
    : conv1(register_module("conv1", std::make_shared<ConvNorm>(channels, channels, 3))),
      conv2(register_module("conv2", std::make_shared<ConvNorm>(channels, channels, 3))) {
  if (is_global) {
    global = register_module(
        "global", torch::nn::Linear(torch::nn::LinearOptions(channels, channels).bias(false)));
  }
}

torch::Tensor ResidualBlock::Forward(const torch::Tensor& x) {
  torch::Tensor y = conv1->Forward(x);
  if (!global.is_empty()) y.add_(EverywhereOnBoard(global(x.mean({2, 3}))));
  return conv2->Forward(y.relu_()).add_(x).relu_();
}

PolicyHead::PolicyHead(int channels, int policy_channels)
    : conv(register_module("conv", std::make_shared<ConvNorm>(channels, policy_channels, 1))),
      from(register_module("from", torch::nn::Linear(policy_channels, kMoveShapes))),
      to(register_module(
          "to",
          torch::nn::Linear(torch::nn::LinearOptions(policy_channels, kMoveShapes).bias(false)))) {
  std::vector<int64_t> from_places;
  std::vector<int64_t> to_places;
  for (int i = 0; i < kPolicyMoves; ++i) {
    const Move move = PolicyMove(i);
    from_places.push_back(move.from() * kMoveShapes + MoveShape(move));
    to_places.push_back(move.to() * kMoveShapes + MoveShape(move));
  }
  from_index = register_buffer("from_index", torch::tensor(from_places));
  to_index = register_buffer("to_index", torch::tensor(to_places));
}

torch::Tensor PolicyHead::Forward(const torch::Tensor& x, bool is_opponents) {
  torch::Tensor p = ByPoint(conv->Forward(x).relu_());
  // The opponent sees the points in the opposite order.
  if (is_opponents) p = p.flip({1});
  return from(p).flatten(1).index_select(1, from_index) +
         to(p).flatten(1).index_select(1, to_index);
}

TorchNetwork::TorchNetwork(const Architecture& architecture, const TorchNetworkOptions& options)
    : architecture_(architecture), options_(options) {
  const int channels = architecture.channels;
  stem = register_module("stem", std::make_shared<ConvNorm>(kPlanes, channels, 3));
  for (int i = 0; i < architecture.blocks; ++i) {
    const bool is_global =
        std::find(architecture.global_blocks.begin(), architecture.global_blocks.end(), i) !=
        architecture.global_blocks.end();
    blocks.push_back(register_module("block" + std::to_string(i),
                                     std::make_shared<ResidualBlock>(channels, is_global)));
  }
  policy = register_module("policy",
                           std::make_shared<PolicyHead>(channels, architecture.policy_channels));
  value_conv = register_module(
      "value_conv", std::make_shared<ConvNorm>(channels, architecture.value_channels, 1));
  value_hidden = register_module(
      "value_hidden",
      torch::nn::Linear(kSquares * architecture.value_channels, architecture.value_hidden));
  wdl = register_module("wdl", torch::nn::Linear(architecture.value_hidden, 3));
  plies_left = register_module("plies_left", torch::nn::Linear(architecture.value_hidden, 1));
  if (options.has_reply_head) {
    reply = register_module("reply",
                            std::make_shared<PolicyHead>(channels, architecture.policy_channels));
  }
  if (options.has_short_term_head) {
    short_term_wdl =
        register_module("short_term_wdl", torch::nn::Linear(architecture.value_hidden, 3));
  }
  if (options.has_survival_head) {
    survival = register_module("survival", torch::nn::Linear(channels, 1));
  }
  Initialise(this, options.seed);
  UseChannelsLast(this);
}

TorchNetworkOutput TorchNetwork::Forward(const torch::Tensor& levels) {
  torch::Tensor x = stem->Forward(PlanesFromLevels(levels)).relu_();
  for (const auto& block : blocks) x = block->Forward(x);
  const torch::Tensor v = ByPoint(value_conv->Forward(x).relu_()).flatten(1);
  const torch::Tensor hidden = value_hidden(v).relu_();

  TorchNetworkOutput output;
  output.policy = policy->Forward(x, /*is_opponents=*/false);
  output.wdl = wdl(hidden);
  output.plies_left = kPliesLeftUnit * torch::softplus(plies_left(hidden).squeeze(1));
  if (reply != nullptr) output.reply = reply->Forward(x, /*is_opponents=*/true);
  if (!short_term_wdl.is_empty()) output.short_term_wdl = short_term_wdl(hidden);
  if (!survival.is_empty()) output.survival = survival(ByPoint(x)).squeeze(2);
  return output;
}

}  // namespace chuhe
