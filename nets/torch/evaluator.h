// The reference evaluator: a network in LibTorch's fp32, on the CPU or on a GPU.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/eval/evaluator.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

struct TorchEvaluatorOptions {
  std::string device = "cpu";  // or `cuda`, which is `cuda:0`, or `cuda:N`
  // How many threads of the CPU one evaluation may use. One evaluator a core with one thread each
  // is faster than one with many.
  int threads = 1;
  // On the CPU: compile the network for a few batch sizes when they first occur (about 0.1 s each),
  // which is the fastest that LibTorch does. Otherwise, on a GPU, and where LibTorch was built
  // without oneDNN: operator by operator.
  bool is_compiled = true;
};

// The evaluator is owned by one thread at a time. While it works it sets LibTorch's number of
// threads, for the thread that calls it, and restores it afterwards; LibTorch also takes the number
// as the first one of threads that have not used it yet.
//
// Answers do not depend on the batch but for rounding: on the CPU oneDNN's kernels add in the same
// order whatever the batch.
//
// If LibTorch fails while it evaluates (a device lost, memory exhausted) the program ends with its
// message, as there is nobody to answer.
//
// Errors: a device that is not understood, that this machine lacks, or for which LibTorch's CUDA
// backend is not installed; weights whose shapes or feature set do not fit.
absl::StatusOr<std::unique_ptr<Evaluator>> OpenTorchEvaluator(const NetworkWeights& weights,
                                                              const TorchEvaluatorOptions& options);

}  // namespace chuhe
