#include "train/losses.h"

#include <limits>
#include <vector>

#include "nets/features/planes.h"
#include "nets/weights/network_weights.h"
#include "torch/nn/functional.h"

namespace chuhe {
namespace {

namespace F = torch::nn::functional;

// The mean of `values` under weights that may be all zero.
torch::Tensor WeightedMean(const torch::Tensor& values, const torch::Tensor& weights) {
  return (values * weights).sum() / weights.sum().clamp_min(1);
}

torch::Tensor CrossEntropy(const torch::Tensor& logits, const torch::Tensor& target) {
  return -(target * torch::log_softmax(logits, -1)).sum(-1);
}

template <typename T>
torch::Tensor Copy(const std::vector<T>& values, at::IntArrayRef shape, torch::ScalarType type,
                   torch::Device device) {
  // from_blob() wants a pointer to what may be changed; the copy is all that it is used for.
  return torch::from_blob(const_cast<T*>(values.data()), shape, type)
      .to(device, type, /*non_blocking=*/false, /*copy=*/true);
}

}  // namespace

BatchTensors ToTensors(const Batch& batch, torch::Device device) {
  const int64_t n = batch.size;
  const int64_t width = batch.width;
  const auto floats = [&](const std::vector<float>& values, at::IntArrayRef shape) {
    return Copy(values, shape, torch::kFloat, device);
  };
  return {
      .levels = Copy(batch.levels, {n, kSquares, kPlanes}, torch::kByte, device),
      .legal = Copy(batch.legal, {n, width}, torch::kLong, device),
      .is_legal = Copy(batch.is_legal, {n, width}, torch::kByte, device).to(torch::kBool),
      .policy = floats(batch.policy, {n, width}),
      .wdl = floats(batch.wdl, {n, 3}),
      .wdl_weight = floats(batch.wdl_weight, {n}),
      .plies_left = floats(batch.plies_left, {n}),
      .plies_left_weight = floats(batch.plies_left_weight, {n}),
      .reply = Copy(batch.reply, {n}, torch::kLong, device),
      .reply_weight = floats(batch.reply_weight, {n}),
      .short_term = floats(batch.short_term, {n, 3}),
      .short_term_weight = floats(batch.short_term_weight, {n}),
      .survivors = floats(batch.survivors, {n, kSquares}),
      .survivors_weight = floats(batch.survivors_weight, {n, kSquares}),
  };
}

torch::Tensor LegalLogPriors(const torch::Tensor& policy_logits, const BatchTensors& batch) {
  const torch::Tensor logits =
      policy_logits.gather(1, batch.legal)
          .masked_fill(batch.is_legal.logical_not(), -std::numeric_limits<float>::infinity());
  return torch::log_softmax(logits, -1);
}

Losses ComputeLosses(const TorchNetworkOutput& output, const BatchTensors& batch,
                     const LossWeights& weights) {
  Losses losses;
  const torch::Tensor log_priors =
      LegalLogPriors(output.policy, batch).masked_fill(batch.is_legal.logical_not(), 0.0);
  // Positions that teach no policy have a target of zeros.
  losses.policy = WeightedMean(-(batch.policy * log_priors).sum(-1), batch.policy.sum(-1));
  const torch::Tensor outcome_share =
      1 - weights.short_term_share * batch.short_term_weight.unsqueeze(1);
  const torch::Tensor wdl = batch.short_term.lerp(batch.wdl, outcome_share);
  losses.wdl = WeightedMean(CrossEntropy(output.wdl, wdl), batch.wdl_weight);
  const torch::Tensor plies_error =
      F::huber_loss(output.plies_left / kPliesLeftUnit, batch.plies_left / kPliesLeftUnit,
                    F::HuberLossFuncOptions().reduction(torch::kNone));
  losses.plies_left = WeightedMean(plies_error, batch.plies_left_weight);
  losses.total = weights.policy * losses.policy + weights.wdl * losses.wdl +
                 weights.plies_left * losses.plies_left;
  if (output.reply.defined()) {
    const torch::Tensor log_replies = torch::log_softmax(output.reply, -1);
    const torch::Tensor of_reply = log_replies.gather(1, batch.reply.unsqueeze(1)).squeeze(1);
    losses.reply = WeightedMean(-of_reply, batch.reply_weight);
    losses.total = losses.total + weights.reply * losses.reply;
  }
  if (output.short_term_wdl.defined()) {
    losses.short_term = WeightedMean(CrossEntropy(output.short_term_wdl, batch.short_term),
                                     batch.short_term_weight);
    losses.total = losses.total + weights.short_term * losses.short_term;
  }
  if (output.survival.defined()) {
    const torch::Tensor errors = F::binary_cross_entropy_with_logits(
        output.survival, batch.survivors,
        F::BinaryCrossEntropyWithLogitsFuncOptions().reduction(torch::kNone));
    losses.survival = WeightedMean(errors, batch.survivors_weight);
    losses.total = losses.total + weights.survival * losses.survival;
  }
  return losses;
}

}  // namespace chuhe
