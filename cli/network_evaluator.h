// From a network's file to an evaluator on the device that was asked for.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/eval/evaluator.h"
#include "nets/weights/weights_file.h"

namespace chuhe {

struct EvaluatorOptions {
  std::string device = "cpu";      // `cpu`, `cuda`, `cuda:0,1`
  std::string precision = "auto";  // or fp32, bf16, fp16, int8
  int threads = 1;                 // of the CPU: as many single-thread evaluators
  int max_batch = 256;             // of a GPU
};

struct OpenedEvaluator {
  std::unique_ptr<Evaluator> evaluator;
  std::string precision;    // that was chosen
  std::string description;  // for logs: network, precision, library, device
};

// `fp32` on the CPU is LibTorch where it is built in, else oneDNN. Errors: a device that is not
// there, a precision that the device or the network does not have.
absl::StatusOr<OpenedEvaluator> OpenEvaluator(const NetworkWeights& weights,
                                              const EvaluatorOptions& options);

// Checks the texts of the options, without looking for the device.
absl::Status CheckEvaluatorOptions(const EvaluatorOptions& options);

}  // namespace chuhe
