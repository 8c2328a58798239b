// The CPU evaluator by size, precision and batch: evaluations a second on one core
// (items_per_second is by CPU time), of the whole evaluator and of its convolutions alone. Sizes
// are named with their global blocks, if there are any: 4x32:1,3. For ratios between them, let
// them take turns:
//
//   evaluator_bench [SIZE[:BLOCK,...]]... --benchmark_enable_random_interleaving
//       --benchmark_repetitions=5 --benchmark_report_aggregates_only --benchmark_filter=int8
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "nets/features/random_positions.h"
#include "nets/onednn/calibrate.h"
#include "nets/onednn/onednn_evaluator.h"
#include "nets/onednn/packed_network.h"
#include "nets/onednn/single_thread.h"
#include "nets/onednn/tower.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

using SharedNetwork = std::shared_ptr<const PackedNetwork>;

// The convolutions alone, over planes of zeros.
void RunTower(benchmark::State& state, const SharedNetwork& network) {
  const SingleThreadScope single_thread;
  Tower tower(network);
  const int batch = static_cast<int>(state.range(0));
  for (auto _ : state) {
    for (int left = batch; left > 0; left -= tower.capacity()) {
      benchmark::DoNotOptimize(tower.Run(std::min(left, tower.capacity())));
    }
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

void RunEvaluator(benchmark::State& state, const SharedNetwork& network) {
  OnednnEvaluator evaluator(network);
  std::vector<EvaluationRequest> requests = RandomRequests(static_cast<int>(state.range(0)), 2);
  for (auto _ : state) evaluator.Evaluate(requests);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

absl::StatusOr<Architecture> ParseShape(const std::string& shape) {
  const std::vector<std::string> parts = absl::StrSplit(shape, ':');
  CHUHE_ASSIGN_OR_RETURN(Architecture architecture, ParseArchitecture(parts[0]));
  if (parts.size() > 1) {
    for (const absl::string_view text : absl::StrSplit(parts[1], ',')) {
      int block = -1;
      if (!absl::SimpleAtoi(text, &block)) return absl::InvalidArgumentError(shape);
      architecture.global_blocks.push_back(block);
    }
  }
  CHUHE_RETURN_IF_ERROR(CheckArchitecture(architecture));
  return architecture;
}

void Register(const std::string& size) {
  const absl::StatusOr<Architecture> architecture = ParseShape(size);
  if (!architecture.ok()) {
    std::fprintf(stderr, "%s: %s\n", size.c_str(), architecture.status().ToString().c_str());
    return;
  }
  NetworkWeights weights = LivelyNetwork(*architecture, 1);
  if (!Calibrate(&weights, RandomPositions(16, 1)).ok()) return;
  for (const CpuPrecision precision :
       {CpuPrecision::kFp32, CpuPrecision::kBf16, CpuPrecision::kInt8}) {
    if (!CpuHas(precision)) continue;
    const auto network = PackedNetwork::Make(weights, precision);
    if (!network.ok()) {
      std::fprintf(stderr, "%s\n", network.status().ToString().c_str());
      continue;
    }
    const std::string name = size + "/" + std::string(CpuPrecisionName(precision));
    for (const int batch : {1, 8, 32, 128, 256}) {
      benchmark::RegisterBenchmark((name + "/evaluate").c_str(), RunEvaluator, *network)
          ->Arg(batch);
      benchmark::RegisterBenchmark((name + "/tower").c_str(), RunTower, *network)->Arg(batch);
    }
  }
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);  // takes away what it knows
  std::vector<std::string> sizes(argv + 1, argv + argc);
  if (sizes.empty()) sizes = {"tiny", "small", "medium"};
  for (const std::string& size : sizes) chuhe::Register(size);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
