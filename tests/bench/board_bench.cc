// How fast the board is, per call: lists of legal moves, counts, make and unmake, single questions.
// One benchmark per question and set of positions; the rate shown is of calls.
//
//   board_bench --benchmark_filter=GenerateLegal
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/attacks.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"

namespace chuhe {
namespace {

struct PositionSet {
  const char* name;
  std::vector<const char*> fens;
};

const std::vector<PositionSet>& PositionSets() {
  static const auto* const kSets = new std::vector<PositionSet>{
      {"start", {kStartFen}},
      {"rooks", {"r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w"}},
      {"cannons", {"r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w"}},
      {"middlegames",
       {"r1bakabr1/9/1cn4c1/p1p1p1p1p/5n3/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R w",
        "1rbakab1r/9/2n1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/N1C1C1N2/9/R1BAKAB1R b",
        "r1bak1b1r/4a4/2n1c1n2/p1p1p3p/5Np2/2P3P2/P3P3P/1C2B1C2/9/RNBAKA2R w",
        "2bakab1r/5r3/1cn3n2/p1p1p1p1p/9/2P3P2/P3P3P/N1C1B1N1C/4A4/1R2KAB1R b",
        "3akab2/9/2n1b1n2/p3p1p1p/2p1c4/2P3P2/P3P3P/2N1C1N2/4A4/2B1KAB2 w",
        "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w",
        "1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w",
        "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w"}}};
  return *kSets;
}

std::vector<Position> Read(const PositionSet& set) {
  std::vector<Position> positions;
  for (const char* fen : set.fens) {
    const absl::StatusOr<FenRecord> record = ParseFen(fen);
    if (!record.ok()) {
      std::fprintf(stderr, "board_bench: %s: %s\n", fen, record.status().ToString().c_str());
      std::exit(EXIT_FAILURE);
    }
    positions.push_back(record->position);
  }
  return positions;
}

// Calls f(position) for the positions in turn; f returns how many calls of the measured function
// that was.
template <typename F>
void Measure(benchmark::State& state, const PositionSet& set, F f) {
  std::vector<Position> positions = Read(set);
  int64_t calls = 0;
  for (auto _ : state) {
    for (Position& position : positions) calls += f(position);
  }
  state.SetItemsProcessed(calls);
}

void BenchGenerateLegal(benchmark::State& state, const PositionSet& set) {
  Measure(state, set, [](const Position& position) {
    MoveList list;
    GenerateLegal(position, &list);
    benchmark::DoNotOptimize(list);
    return 1;
  });
}

void BenchCountLegal(benchmark::State& state, const PositionSet& set) {
  Measure(state, set, [](const Position& position) {
    benchmark::DoNotOptimize(CountLegal(position));
    return 1;
  });
}

void BenchHasLegalMove(benchmark::State& state, const PositionSet& set) {
  Measure(state, set, [](const Position& position) {
    benchmark::DoNotOptimize(HasLegalMove(position));
    return 1;
  });
}

void BenchInCheck(benchmark::State& state, const PositionSet& set) {
  Measure(state, set, [](const Position& position) {
    benchmark::DoNotOptimize(InCheck(position));
    return 1;
  });
}

// All legal moves of the positions, listed beforehand.
template <typename F>
void MeasureMoves(benchmark::State& state, const PositionSet& set, F f) {
  std::vector<Position> positions = Read(set);
  std::vector<MoveList> lists(positions.size());
  for (size_t i = 0; i < positions.size(); ++i) GenerateLegal(positions[i], &lists[i]);
  int64_t calls = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < positions.size(); ++i) {
      for (const Move move : lists[i]) f(positions[i], move);
      calls += lists[i].size;
    }
  }
  state.SetItemsProcessed(calls);
}

void BenchMakeUnmake(benchmark::State& state, const PositionSet& set) {
  MeasureMoves(state, set, [](Position& position, Move move) {
    const Undo undo = position.Make(move);
    benchmark::ClobberMemory();
    position.Unmake(move, undo);
    benchmark::ClobberMemory();
  });
}

void BenchIsLegal(benchmark::State& state, const PositionSet& set) {
  MeasureMoves(state, set, [](const Position& position, Move move) {
    benchmark::DoNotOptimize(IsLegal(position, move));
  });
}

void RegisterAll() {
  struct Question {
    const char* name;
    void (*bench)(benchmark::State&, const PositionSet&);
  };
  constexpr Question kQuestions[] = {{"GenerateLegal", BenchGenerateLegal},
                                     {"CountLegal", BenchCountLegal},
                                     {"HasLegalMove", BenchHasLegalMove},
                                     {"MakeUnmake", BenchMakeUnmake},
                                     {"IsLegal", BenchIsLegal},
                                     {"InCheck", BenchInCheck}};
  for (const Question& question : kQuestions) {
    for (const PositionSet& set : PositionSets()) {
      const std::string name = std::string(question.name) + '/' + set.name;
      benchmark::RegisterBenchmark(name.c_str(), question.bench, set);
    }
  }
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  chuhe::RegisterAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
