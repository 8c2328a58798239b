// What a question to a network costs before the network runs: packing it, expanding it to planes,
// floats for networks that take them, and the policy numbers of its moves.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "engine/rules/game.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"

namespace chuhe {
namespace {

// Positions of random games of up to 100 plies each. Many, so that the branch predictor does not
// learn them by heart.
const std::vector<EvaluationRequest>& Requests() {
  static const std::vector<EvaluationRequest> requests = [] {
    std::vector<EvaluationRequest> made;
    Random random(1);
    while (made.size() < 2000) {
      Game game(Position::Start());
      while (game.plies() < 100 && made.size() < 2000) {
        EvaluationRequest request;
        request.SetPosition(game);
        GenerateLegal(game.position(), &request.moves);
        if (request.moves.size == 0) break;
        made.push_back(request);
        game.Make(
            request
                .moves[static_cast<int>(random.Below(static_cast<uint64_t>(request.moves.size)))]);
      }
    }
    return made;
  }();
  return requests;
}

std::vector<PackedPosition> PackedPositions() {
  std::vector<PackedPosition> packed;
  for (const EvaluationRequest& request : Requests()) packed.push_back(Pack(request));
  return packed;
}

void BenchPack(benchmark::State& state) {
  const std::vector<EvaluationRequest>& requests = Requests();
  for (auto _ : state) {
    for (const EvaluationRequest& request : requests) benchmark::DoNotOptimize(Pack(request));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(requests.size()));
}
BENCHMARK(BenchPack);

void BenchMirror(benchmark::State& state) {
  const std::vector<PackedPosition> positions = PackedPositions();
  for (auto _ : state) {
    for (const PackedPosition& packed : positions) benchmark::DoNotOptimize(Mirror(packed));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(positions.size()));
}
BENCHMARK(BenchMirror);

void BenchExpandPlanes(benchmark::State& state) {
  const std::vector<PackedPosition> positions = PackedPositions();
  std::vector<uint8_t> levels(kSquares * kPlanes);
  for (auto _ : state) {
    for (const PackedPosition& packed : positions) {
      ExpandPlanes(packed, levels.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(positions.size()));
}
BENCHMARK(BenchExpandPlanes);

void BenchLevelsToFloats(benchmark::State& state) {
  std::vector<uint8_t> levels(kSquares * kPlanes);
  ExpandPlanes(PackedPositions()[50], levels.data());
  std::vector<float> floats(levels.size());
  for (auto _ : state) {
    LevelsToFloats(levels, floats.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BenchLevelsToFloats);

// Of all legal moves of a position.
void BenchPolicyIndices(benchmark::State& state) {
  const std::vector<EvaluationRequest>& requests = Requests();
  for (auto _ : state) {
    for (const EvaluationRequest& request : requests) {
      const Color side = request.position.side_to_move();
      int sum = 0;
      for (const Move move : request.moves) sum += PolicyIndex(SeenBy(side, move));
      benchmark::DoNotOptimize(sum);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(requests.size()));
}
BENCHMARK(BenchPolicyIndices);

}  // namespace
}  // namespace chuhe

BENCHMARK_MAIN();
