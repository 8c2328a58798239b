// Cost of what stands between a search and an evaluator: keys, cache hits and misses, joining the
// requests of several threads. The evaluators cost nothing and leave the requests as they are; an
// item is a request.
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "benchmark/benchmark.h"
#include "engine/base/random.h"
#include "engine/eval/batching_evaluator.h"
#include "engine/eval/caching_evaluator.h"
#include "engine/eval/request_copy.h"
#include "engine/eval/simple_evaluators.h"

namespace chuhe {
namespace {

// Leaves the requests as they are.
class NullEvaluator : public Evaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override {
    benchmark::DoNotOptimize(requests.data());
  }
};

// Positions of random games, answered by HashEvaluator.
std::vector<EvaluationRequest> RandomRequests(int count) {
  std::vector<EvaluationRequest> requests;
  requests.reserve(static_cast<size_t>(count));
  Random random(11);
  Game game(Position::Start());
  while (static_cast<int>(requests.size()) < count) {
    EvaluationRequest request;
    request.SetPosition(game);
    GenerateLegal(game.position(), &request.moves);
    if (request.moves.size == 0 || game.plies() == 100) {
      game = Game(Position::Start());
      continue;
    }
    requests.push_back(request);
    game.Make(
        request.moves[static_cast<int>(random.Below(static_cast<uint64_t>(request.moves.size)))]);
  }
  HashEvaluator().Evaluate(requests);
  return requests;
}

void CountRequests(benchmark::State& state, size_t batch) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(batch));
}

void Key(benchmark::State& state) {
  const std::vector<EvaluationRequest> requests = RandomRequests(256);
  const QuestionKey salt = SaltOf("salt");
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(KeyOf(requests[i], salt));
    i = (i + 1) % requests.size();
  }
  CountRequests(state, 1);
}
BENCHMARK(Key);

constexpr int kNoCache = 101;

// Batches of questions from a pool, of which so many in a hundred are known; kNoCache: the same
// work without a cache, to be subtracted. The cache has room for the pool five times over and is
// warm.
void Cached(benchmark::State& state) {
  const auto batch = static_cast<size_t>(state.range(0));
  const auto questions = static_cast<size_t>(state.range(1));
  const auto known_percent = static_cast<uint64_t>(state.range(2));
  const std::vector<EvaluationRequest> pool = RandomRequests(static_cast<int>(questions));
  EvaluationCache cache(static_cast<int>(questions / 1024) + 1);
  std::unique_ptr<Evaluator> evaluator = std::make_unique<NullEvaluator>();
  if (known_percent != kNoCache) {
    evaluator = std::make_unique<CachingEvaluator>(std::move(evaluator), &cache, "salt");
  }
  std::vector<EvaluationRequest> requests(batch);
  Random random(5);
  size_t next = 0;
  unsigned number = 0;
  const auto ask = [&] {
    for (EvaluationRequest& request : requests) {
      CopyQuestion(pool[next], &request);
      next = (next + 1) % questions;
      // Moves that never come again make a question that is not known.
      if (random.Below(100) < known_percent) continue;
      ++number;
      request.recent[0] = Move::FromBits(static_cast<uint16_t>(number & 0x3fff));
      request.recent[1] = Move::FromBits(static_cast<uint16_t>(number >> 14));
    }
    evaluator->Evaluate(requests);
  };
  for (size_t i = 0; i < 6 * questions; i += batch) ask();
  const EvaluationCache::Statistics before = cache.statistics();
  for (auto _ : state) ask();
  const EvaluationCache::Statistics after = cache.statistics();
  CountRequests(state, batch);
  state.counters["hit_rate"] =
      static_cast<double>(after.hits - before.hits) /
      static_cast<double>(state.iterations() * static_cast<int64_t>(batch));
}
BENCHMARK(Cached)
    ->ArgNames({"batch", "questions", "known"})
    ->ArgsProduct({{1, 32}, {1000, 200000}, {kNoCache, 100, 0, 50}});

// Threads with batches of their own, joined for one evaluator: wall time, with fewer cores than
// threads mostly their taking turns, and the CPU time of the whole process.
void Batched(benchmark::State& state) {
  const auto threads = static_cast<size_t>(state.range(0));
  const auto own_batch = static_cast<size_t>(state.range(1));
  constexpr int kRounds = 200;
  const std::vector<EvaluationRequest> pool = RandomRequests(static_cast<int>(own_batch));
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  evaluators.push_back(std::make_unique<NullEvaluator>());
  BatchingEvaluator batching(std::move(evaluators),
                             {threads * own_batch, std::chrono::milliseconds(10)});
  for (auto _ : state) {
    std::vector<std::jthread> askers;
    for (size_t t = 0; t < threads; ++t) {
      askers.emplace_back([&] {
        const auto front = batching.NewFront();
        std::vector<EvaluationRequest> requests = pool;
        for (int i = 0; i < kRounds; ++i) front->Evaluate(requests);
      });
    }
  }
  CountRequests(state, threads * own_batch * kRounds);
  state.counters["mean_batch"] = batching.statistics().mean_batch_size();
}
BENCHMARK(Batched)
    ->ArgNames({"threads", "own_batch"})
    ->ArgsProduct({{1, 2, 4, 8}, {1, 32, 256}})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace chuhe

BENCHMARK_MAIN();
