// What turns gradients into new weights.
#pragma once

#include <memory>
#include <vector>

#include "nets/torch/network.h"
#include "torch/optim/adamw.h"
#include "torch/serialize/archive.h"
#include "train/training_options.h"

namespace chuhe {

// The nearest matrix with orthogonal rows (or columns, where there are fewer of them), roughly: its
// singular values lie between 0.6 and 1.3. Of a batch [N, rows, columns]. Five steps of the
// Newton-Schulz iteration with the coefficients of Jordan and others, "Muon: An optimizer for
// hidden layers in neural networks", 2024.
torch::Tensor NearlyOrthogonal(const torch::Tensor& matrices);

// AdamW for all weights, or, if the options say so, Muon for the matrices and kernels of hidden
// layers, which have most of the weights, and AdamW for the rest. Muon's steps are scaled as
// AdamW's usually come out (Liu and others, "Muon is scalable for LLM training", 2025, eq. 4), so
// that both take the same learning rate and decay. Like all of LibTorch, throws where tensors do
// not fit.
class NetworkOptimizer {
 public:
  // Changes the weights of `network`, which it keeps alive.
  NetworkOptimizer(const TorchNetwork& network, const TrainerOptions& options);

  void ZeroGradients();
  // One step by the gradients that the weights have.
  void Step(double learning_rate);

  void Save(torch::serialize::OutputArchive* archive) const;
  void Load(torch::serialize::InputArchive* archive);

 private:
  // Weights of one shape, orthogonalised together.
  struct Group {
    std::vector<torch::Tensor> weights;
    torch::Tensor momentum;  // [N, rows, columns]
  };

  void MuonStep(Group* group, double learning_rate) const;

  double weight_decay_;
  std::vector<Group> groups_;
  std::unique_ptr<torch::optim::AdamW> adamw_;
};

}  // namespace chuhe
