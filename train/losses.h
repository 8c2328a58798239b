// What training minimises.
#pragma once

#include "nets/torch/network.h"
#include "torch/types.h"
#include "train/batch.h"
#include "train/training_options.h"

namespace chuhe {

// A batch as tensors on the device of the network; shapes as in Batch.
struct BatchTensors {
  torch::Tensor levels;
  torch::Tensor legal;
  torch::Tensor is_legal;
  torch::Tensor policy;
  torch::Tensor wdl;
  torch::Tensor wdl_weight;
  torch::Tensor plies_left;
  torch::Tensor plies_left_weight;
  torch::Tensor reply;
  torch::Tensor reply_weight;
  torch::Tensor short_term;
  torch::Tensor short_term_weight;
  torch::Tensor survivors;
  torch::Tensor survivors_weight;
};

// Copies; the batch is no longer needed afterwards.
BatchTensors ToTensors(const Batch& batch, torch::Device device);

// Means over the samples whose target is known, in nats where they are cross entropies; undefined
// where the network has no such head. Policy cross entropy runs over the legal moves alone, as
// priors do.
struct Losses {
  torch::Tensor policy;
  torch::Tensor wdl;
  torch::Tensor plies_left;  // Huber loss in units of kPliesLeftUnit plies
  torch::Tensor reply;       // over all moves the network knows
  torch::Tensor short_term;
  torch::Tensor survival;
  torch::Tensor total;
};

Losses ComputeLosses(const TorchNetworkOutput& output, const BatchTensors& batch,
                     const LossWeights& weights);

// Log-probabilities of the legal moves: [N, width], −∞ behind the last one.
torch::Tensor LegalLogPriors(const torch::Tensor& policy_logits, const BatchTensors& batch);

}  // namespace chuhe
