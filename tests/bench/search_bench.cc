// Speed and memory of the tree search itself: an evaluator that costs next to nothing and returns
// unequal priors and values, one thread, trees of growing size. `us_per_node` is the time a visit
// on the processor, `kernel_us_per_node` what of it the kernel took to hand out memory (which
// depends on the machine: a virtual one may have to ask its host for each page), `bytes_per_node`
// the growth of resident memory over the second half of the visits. With `again` another search of
// as many visits came before, from the next position: then the memory is there already.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "benchmark/benchmark.h"
#include "engine/board/fen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/search/tree_search.h"

namespace chuhe {
namespace {

constexpr const char* kPositions[] = {
    kStartFen,
    "r2akab1r/3n5/4b3n/p1p1pRp1p/9/2P3P2/P3P3c/N2C3C1/4A4/1RBAK1B2 w",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
    "1rb1kabr1/4a1c2/1cn3n2/p1C1p1R1p/9/9/P1P1P1P1P/2N1C1N2/9/R1BAKAB2 w",
};

// Resident memory as the kernel counts it; 0 where there is no /proc.
double ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  double total_pages = 0;
  double resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double Microseconds(const timeval& time) {
  return 1e6 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec);
}

// What the process has used of a processor so far.
struct ProcessorTime {
  double user_us = 0;
  double kernel_us = 0;
};
ProcessorTime Now() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return {Microseconds(usage.ru_utime), Microseconds(usage.ru_stime)};
}

void Visit(TreeSearch* search, int64_t visits) {
  while (search->visits() < visits) {
    if (search->RunBatch(static_cast<int>(visits - search->visits())) == 0) return;
  }
}

void SearchTree(benchmark::State& state) {
  const auto number = static_cast<size_t>(state.range(0));
  const Position position = ParseFen(kPositions[number])->position;
  const Position other = ParseFen(kPositions[(number + 1) % std::size(kPositions)])->position;
  const int64_t visits = state.range(1);
  const bool is_again = state.range(3) != 0;
  for (auto _ : state) {
    HashEvaluator evaluator;
    TreeSearchOptions options;
    options.batch_size = static_cast<int>(state.range(2));
    options.max_tree_bytes = size_t{8} << 30;
    TreeSearch search(&evaluator, options);
    if (is_again) {
      search.SetRoot(Game(other));
      Visit(&search, visits);
    }
    search.SetRoot(Game(position));
    const ProcessorTime start = Now();
    Visit(&search, visits / 2);
    const double half = ResidentBytes();
    Visit(&search, visits);
    const ProcessorTime end = Now();
    const auto made = static_cast<double>(search.visits());
    const double kernel_us = end.kernel_us - start.kernel_us;
    state.counters["us_per_node"] = (end.user_us - start.user_us + kernel_us) / made;
    state.counters["kernel_us_per_node"] = kernel_us / made;
    if (!is_again) state.counters["bytes_per_node"] = 2 * (ResidentBytes() - half) / made;
    state.counters["mean_path"] = search.mean_path();
  }
}

BENCHMARK(SearchTree)
    ->ArgNames({"position", "visits", "batch", "again"})
    ->ArgsProduct({{0, 1, 2, 3}, {100'000, 2'000'000, 10'000'000}, {1}, {0, 1}})
    ->ArgsProduct({{0}, {2'000'000}, {32}, {0}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace chuhe

BENCHMARK_MAIN();
