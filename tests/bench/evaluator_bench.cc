// The CPU evaluator by size, precision and batch: evaluations a second on one core
// (items_per_second is by CPU time), of the whole evaluator and of its convolutions alone. For
// ratios between them, let them take turns:
//
//   evaluator_bench --benchmark_enable_random_interleaving --benchmark_repetitions=5
//       --benchmark_report_aggregates_only --benchmark_filter=small
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "nets/onednn/calibrate.h"
#include "nets/onednn/onednn_evaluator.h"
#include "nets/onednn/packed_network.h"
#include "nets/onednn/random_positions.h"
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

void Register(const std::string& size) {
  NetworkWeights weights = LivelyNetwork(*ParseArchitecture(size), 1);
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
  for (const char* size : {"tiny", "small", "medium"}) chuhe::Register(size);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
