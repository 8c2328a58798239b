// How fast LibTorch evaluates and trains, by network size and batch. One core, as the trainer and
// every evaluator get one each:
//
//   OMP_NUM_THREADS=1 taskset -c 0 torch_bench
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ATen/Parallel.h"
#include "benchmark/benchmark.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/torch/evaluator.h"
#include "nets/torch/network.h"
#include "nets/weights/initialise.h"
#include "tests/nets/reference/lively_network.h"
#include "torch/nn.h"
#include "torch/optim/adamw.h"

namespace chuhe {
namespace {

constexpr const char* kSizes[] = {"tiny", "small", "medium"};

void Evaluate(benchmark::State& state, bool is_compiled) {
  const NetworkWeights weights = InitialNetwork(*ParseArchitecture(kSizes[state.range(0)]), 1);
  const std::unique_ptr<Evaluator> evaluator =
      *OpenTorchEvaluator(weights, {.is_compiled = is_compiled});
  std::vector<EvaluationRequest> requests = RandomRequests(static_cast<int>(state.range(1)), 1);
  evaluator->Evaluate(requests);
  for (auto _ : state) evaluator->Evaluate(requests);
  state.SetLabel(kSizes[state.range(0)]);
  state.SetItemsProcessed(state.iterations() * state.range(1));
}

void BM_EvaluateCompiled(benchmark::State& state) { Evaluate(state, true); }
void BM_EvaluateEager(benchmark::State& state) { Evaluate(state, false); }

// Forward, backward and a step of AdamW with all heads, on random planes.
void BM_TrainingStep(benchmark::State& state) {
  namespace F = torch::nn::functional;
  at::set_num_threads(1);
  TorchNetwork network(*ParseArchitecture(kSizes[state.range(0)]), {});
  network.train();
  torch::optim::AdamW optimizer(network.parameters(), torch::optim::AdamWOptions(1e-3));
  const int64_t batch = state.range(1);
  const torch::Tensor levels =
      torch::randint(0, kLevelOne + 1, {batch, kSquares, kPlanes}, torch::kByte);
  const torch::Tensor move = torch::randint(kPolicyMoves, {batch});
  const torch::Tensor result = torch::randint(3, {batch});
  const torch::Tensor length = torch::rand({batch});
  const torch::Tensor stays = torch::randint(2, {batch, kSquares}).to(torch::kFloat);
  for (auto _ : state) {
    optimizer.zero_grad();
    const TorchNetworkOutput output = network.Forward(levels);
    const torch::Tensor loss =
        F::cross_entropy(output.policy, move) + F::cross_entropy(output.reply, move) +
        F::cross_entropy(output.wdl, result) + F::cross_entropy(output.short_term_wdl, result) +
        F::smooth_l1_loss(output.plies_left / 40, length) +
        F::binary_cross_entropy_with_logits(output.survival, stays);
    loss.backward();
    optimizer.step();
  }
  state.SetLabel(kSizes[state.range(0)]);
  state.SetItemsProcessed(state.iterations() * batch);
}

BENCHMARK(BM_EvaluateCompiled)->ArgsProduct({{0, 1, 2}, {1, 8, 32, 128}});
BENCHMARK(BM_EvaluateEager)->ArgsProduct({{0, 1, 2}, {1, 8, 32, 128}});
BENCHMARK(BM_TrainingStep)->ArgsProduct({{0, 1, 2}, {64, 256}})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace chuhe

BENCHMARK_MAIN();
