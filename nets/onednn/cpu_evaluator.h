// The way to an evaluator on the CPU: all that other folders need to know of this one. Nothing here
// shows oneDNN, so that code which sees another copy of its headers can include it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "engine/eval/evaluator.h"
#include "nets/onednn/cpu_precision.h"
#include "nets/onednn/precision_cache.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// A network made ready for the CPU. Immutable, thread-safe.
class PackedNetwork;

struct CpuEvaluatorOptions {
  // None: the one that ChoosePrecision() finds.
  std::optional<CpuPrecision> precision;
  // Where choices are remembered; empty: nowhere.
  std::string cache_folder = DefaultCacheFolder();
};

// Makes the network ready, once for all cores. Errors: the precision needs a calibrated network or
// another CPU.
absl::StatusOr<std::shared_ptr<const PackedNetwork>> OpenCpuNetwork(
    const NetworkWeights& network, const CpuEvaluatorOptions& options);

// An evaluator that works in the thread that calls it. Owned by one thread at a time; a
// SpreadEvaluator has one of them for each core. Evaluators of one network give the same answers to
// the last bit.
absl::StatusOr<std::unique_ptr<Evaluator>> MakeCpuEvaluator(
    std::shared_ptr<const PackedNetwork> network);

// Both at once, for one core.
absl::StatusOr<std::unique_ptr<Evaluator>> OpenCpuEvaluator(const NetworkWeights& network,
                                                            const CpuEvaluatorOptions& options);

CpuPrecision PrecisionOf(const PackedNetwork& network);

// For logs and records: `small (6x64) int8, oneDNN 2.6.3, avx512_core_vnni`.
std::string Describe(const PackedNetwork& network);

}  // namespace chuhe
