#include "train/network_optimizer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace chuhe {
namespace {

constexpr double kMomentum = 0.95;
constexpr int kIterations = 5;
// Root of the mean square of AdamW's steps, by the learning rate, as Liu and others found it.
constexpr double kAdamWSize = 0.2;

bool IsHiddenMatrix(const std::string& name, const torch::Tensor& weight) {
  return weight.dim() == 4 || absl::EndsWith(name, "global.weight") ||
         absl::EndsWith(name, "value_hidden.weight");
}

// A kernel [outputs, inputs, height, width] as a matrix [outputs, all that comes in].
torch::Tensor AsMatrix(const torch::Tensor& weight) { return weight.flatten(1); }

}  // namespace

torch::Tensor NearlyOrthogonal(const torch::Tensor& matrices) {
  const bool is_tall = matrices.size(-2) > matrices.size(-1);
  torch::Tensor x = is_tall ? matrices.transpose(-2, -1) : matrices;
  x = x / x.norm(2, {-2, -1}, /*keepdim=*/true).clamp_min(1e-12);
  for (int i = 0; i < kIterations; ++i) {
    const torch::Tensor a = x.matmul(x.transpose(-2, -1));
    x = 3.4445 * x + torch::matmul(-4.7750 * a + 2.0315 * a.matmul(a), x);
  }
  return is_tall ? x.transpose(-2, -1) : x;
}

NetworkOptimizer::NetworkOptimizer(const TorchNetwork& network, const TrainerOptions& options)
    : weight_decay_(options.weight_decay) {
  const bool is_muon = options.optimizer == OptimizerKind::kMuon;
  std::vector<torch::Tensor> decayed;
  std::vector<torch::Tensor> others;  // biases and norms
  for (const auto& item : network.named_parameters()) {
    const torch::Tensor& weight = item.value();
    if (!is_muon || !IsHiddenMatrix(item.key(), weight)) {
      (weight.dim() > 1 ? decayed : others).push_back(weight);
      continue;
    }
    const auto fits = [&](const Group& group) {
      return group.weights[0].sizes() == weight.sizes();
    };
    auto group = std::find_if(groups_.begin(), groups_.end(), fits);
    if (group == groups_.end()) group = groups_.emplace(groups_.end());
    group->weights.push_back(weight);
  }
  for (Group& group : groups_) {
    const torch::Tensor matrix = AsMatrix(group.weights[0]);
    const auto count = static_cast<int64_t>(group.weights.size());
    group.momentum = torch::zeros({count, matrix.size(0), matrix.size(1)},
                                  matrix.options().requires_grad(false));
  }
  const auto adamw_group = [&](std::vector<torch::Tensor> weights, double decay) {
    auto group_options = std::make_unique<torch::optim::AdamWOptions>(options.learning_rate);
    group_options->weight_decay(decay);
    return torch::optim::OptimizerParamGroup(std::move(weights), std::move(group_options));
  };
  std::vector<torch::optim::OptimizerParamGroup> adamw_groups;
  adamw_groups.push_back(adamw_group(std::move(decayed), options.weight_decay));
  adamw_groups.push_back(adamw_group(std::move(others), 0));
  adamw_ = std::make_unique<torch::optim::AdamW>(std::move(adamw_groups),
                                                 torch::optim::AdamWOptions(options.learning_rate));
}

void NetworkOptimizer::ZeroGradients() {
  adamw_->zero_grad();
  for (Group& group : groups_) {
    for (torch::Tensor& weight : group.weights) weight.mutable_grad().reset();
  }
}

void NetworkOptimizer::Step(double learning_rate) {
  for (torch::optim::OptimizerParamGroup& group : adamw_->param_groups()) {
    static_cast<torch::optim::AdamWOptions&>(group.options()).lr(learning_rate);
  }
  adamw_->step();
  for (Group& group : groups_) MuonStep(&group, learning_rate);
}

void NetworkOptimizer::MuonStep(Group* group, double learning_rate) const {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& weight : group->weights) gradients.push_back(AsMatrix(weight.grad()));
  const torch::Tensor gradient = torch::stack(gradients);
  group->momentum.lerp_(gradient, 1 - kMomentum);
  // Nesterov's look ahead.
  const torch::Tensor step = NearlyOrthogonal(gradient.lerp(group->momentum, kMomentum));
  const auto longer = static_cast<double>(std::max(step.size(1), step.size(2)));
  const double scale = kAdamWSize * std::sqrt(longer) * learning_rate;
  for (size_t i = 0; i < group->weights.size(); ++i) {
    torch::Tensor& weight = group->weights[i];
    weight.mul_(1 - learning_rate * weight_decay_);
    weight.sub_(step[static_cast<int64_t>(i)].reshape(weight.sizes()), scale);
  }
}

void NetworkOptimizer::Save(torch::serialize::OutputArchive* archive) const {
  torch::serialize::OutputArchive adamw;
  adamw_->save(adamw);
  archive->write("adamw", adamw);
  archive->write("groups", torch::IValue(static_cast<int64_t>(groups_.size())));
  for (size_t i = 0; i < groups_.size(); ++i) {
    archive->write(absl::StrCat("momentum", i), groups_[i].momentum, /*is_buffer=*/true);
  }
}

void NetworkOptimizer::Load(torch::serialize::InputArchive* archive) {
  torch::serialize::InputArchive adamw;
  archive->read("adamw", adamw);
  adamw_->load(adamw);
  for (size_t i = 0; i < groups_.size(); ++i) {
    archive->read(absl::StrCat("momentum", i), groups_[i].momentum, /*is_buffer=*/true);
  }
}

}  // namespace chuhe
