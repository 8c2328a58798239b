#include "cli/network_evaluator.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/eval/alternating_evaluator.h"
#include "engine/eval/spread_evaluator.h"
#include "nets/cuda/cuda_evaluator.h"
#include "nets/onednn/cpu_evaluator.h"
#if CHUHE_WITH_TORCH
#include "nets/torch/evaluator.h"
#endif

namespace chuhe {
namespace {

bool IsCuda(absl::string_view device) {
  return device == "cuda" || absl::StartsWith(device, "cuda:");
}

absl::Status UnknownPrecision(const EvaluatorOptions& options, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat("precision '", options.precision,
                                                 "' on the device '", options.device,
                                                 "'; expected ", expected));
}

std::unique_ptr<Evaluator> Joined(std::vector<std::unique_ptr<Evaluator>> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return std::make_unique<SpreadEvaluator>(std::move(parts));
}

#if CHUHE_WITH_TORCH
absl::StatusOr<OpenedEvaluator> OpenTorch(const NetworkWeights& weights,
                                          const EvaluatorOptions& options) {
  std::vector<std::unique_ptr<Evaluator>> parts;
  const bool is_cpu = options.device == "cpu";
  for (int i = 0; i < (is_cpu ? options.threads : 1); ++i) {
    CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<Evaluator> part,
                           OpenTorchEvaluator(weights, {.device = options.device, .threads = 1}));
    parts.push_back(std::move(part));
  }
  OpenedEvaluator opened;
  opened.evaluator = Joined(std::move(parts));
  opened.precision = "fp32";
  opened.description =
      absl::StrCat(ArchitectureName(weights.architecture), " fp32, LibTorch, ", options.device);
  return opened;
}
#endif

absl::StatusOr<OpenedEvaluator> OpenOnednn(const NetworkWeights& weights,
                                           const EvaluatorOptions& options) {
  CpuEvaluatorOptions cpu;
  if (options.precision != "auto") {
    CHUHE_ASSIGN_OR_RETURN(cpu.precision, ParseCpuPrecision(options.precision));
  }
  CHUHE_ASSIGN_OR_RETURN(const std::shared_ptr<const PackedNetwork> network,
                         OpenCpuNetwork(weights, cpu));
  std::vector<std::unique_ptr<Evaluator>> parts;
  for (int i = 0; i < options.threads; ++i) {
    CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<Evaluator> part, MakeCpuEvaluator(network));
    parts.push_back(std::move(part));
  }
  OpenedEvaluator opened;
  opened.evaluator = Joined(std::move(parts));
  const absl::string_view precision = CpuPrecisionName(PrecisionOf(*network));
  opened.precision = std::string(precision.data(), precision.size());
  opened.description = Describe(*network);
  return opened;
}

absl::StatusOr<OpenedEvaluator> OpenCuda(const NetworkWeights& weights,
                                         const EvaluatorOptions& options) {
  CHUHE_ASSIGN_OR_RETURN(const std::vector<int> devices, ParseCudaDevices(options.device));
  CudaEvaluatorOptions cuda;
  cuda.max_batch = options.max_batch;
  if (options.precision == "fp32") cuda.precision = CudaPrecision::kFloat32;
  CHUHE_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Evaluator>> parts,
                         OpenCudaEvaluators(devices, weights, cuda));
  OpenedEvaluator opened;
  opened.precision = options.precision == "fp32" ? "fp32" : "fp16";
  opened.description = absl::StrCat(ArchitectureName(weights.architecture), " ", opened.precision,
                                    ", CUDA, ", options.device);
  opened.evaluator = parts.size() == 1 ? std::move(parts.front())
                                       : std::make_unique<AlternatingEvaluator>(std::move(parts));
  return opened;
}

}  // namespace

absl::Status CheckEvaluatorOptions(const EvaluatorOptions& options) {
  if (IsCuda(options.device)) {
    CHUHE_RETURN_IF_ERROR(ParseCudaDevices(options.device).status());
    const bool is_known =
        options.precision == "auto" || options.precision == "fp16" || options.precision == "fp32";
    return is_known ? absl::OkStatus() : UnknownPrecision(options, "auto, fp16 or fp32");
  }
  if (options.device != "cpu") {
    return absl::InvalidArgumentError(
        absl::StrCat("device '", options.device, "'; expected cpu, cuda or cuda:0,1"));
  }
  if (options.precision != "auto" && !ParseCpuPrecision(options.precision).ok()) {
    return UnknownPrecision(options, "auto, fp32, bf16 or int8");
  }
  return absl::OkStatus();
}

absl::StatusOr<OpenedEvaluator> OpenEvaluator(const NetworkWeights& weights,
                                              const EvaluatorOptions& options) {
  CHUHE_RETURN_IF_ERROR(CheckEvaluatorOptions(options));
  if (IsCuda(options.device)) return OpenCuda(weights, options);
#if CHUHE_WITH_TORCH
  if (options.precision == "fp32") return OpenTorch(weights, options);
#endif
  return OpenOnednn(weights, options);
}

}  // namespace chuhe
