// How much of the cores a match between networks leaves to the networks: evaluations a second of
// computing time, with all that belongs to the match (searches, games, judge, journal), over those
// of the bare evaluator with the same positions at the same batch size. Both take turns.
//
//   match_bench [SIZE|FILE]... [--games=N] [--length=N] [--visits=N] [--rounds=N] [--cores=N]
//               [--seconds=S]
//
// A network against itself in int8: sizes have random numbers. `games` are played at a time, and
// `length` times as many in all.

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/match_networks.h"
#include "engine/base/status_macros.h"
#include "nets/onednn/cpu_evaluator.h"
#include "nets/onednn/packed_network.h"
#include "selfplay/match/match.h"
#include "selfplay/match/shared_evaluator.h"
#include "tests/bench/network_bench.h"

namespace chuhe {
namespace {

struct Settings {
  int games = 16;
  int length = 2;
  int visits = 64;
  int rounds = 5;
  int cores = 1;
  double seconds = 1;
};

// What all evaluators have been asked.
struct Meter {
  std::atomic<int64_t> evaluations = 0;
  std::atomic<int64_t> calls = 0;
  std::mutex mutex;
  std::vector<std::vector<EvaluationRequest>> batches;  // some, for the bare evaluator
};

class MeteredEvaluator : public Evaluator {
 public:
  MeteredEvaluator(std::unique_ptr<Evaluator> evaluator, Meter* meter)
      : evaluator_(std::move(evaluator)), meter_(meter) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    constexpr size_t kBatches = 64;
    constexpr int kEvery = 10;
    if (++meter_->calls % kEvery == 0) {
      const std::lock_guard lock(meter_->mutex);
      if (meter_->batches.size() < kBatches) {
        meter_->batches.emplace_back(requests.begin(), requests.end());
      }
    }
    evaluator_->Evaluate(requests);
    meter_->evaluations += static_cast<int64_t>(requests.size());
  }

 private:
  std::unique_ptr<Evaluator> evaluator_;
  Meter* meter_;
};

struct Round {
  double bare = 0;  // evaluations a second of computing time
  double match = 0;
  double ratio = 0;
  double wall = 0;   // of the match, a second of the clock
  double batch = 0;  // mean
};

class Bench {
 public:
  Bench(std::shared_ptr<const PackedNetwork> network, const Settings& settings)
      : network_(std::move(network)), settings_(settings) {}

  absl::StatusOr<std::vector<Round>> Run() {
    CHUHE_ASSIGN_OR_RETURN(const std::unique_ptr<Evaluator> bare, MakeCpuEvaluator(network_));
    // Whose positions the bare evaluator has.
    CHUHE_RETURN_IF_ERROR(PlayMatch(0).status());
    std::vector<Round> rounds;
    for (int i = 1; i <= settings_.rounds; ++i) {
      const double before = BareRate(bare.get(), &meter_.batches, settings_.seconds / 2);
      CHUHE_ASSIGN_OR_RETURN(Round round, PlayMatch(i));
      round.bare = (before + BareRate(bare.get(), &meter_.batches, settings_.seconds / 2)) / 2;
      round.ratio = round.match / round.bare;
      rounds.push_back(round);
    }
    return rounds;
  }

 private:
  absl::StatusOr<std::shared_ptr<SharedEvaluator>> OpenShared() {
    auto shared = std::make_shared<SharedEvaluator>(SharedEvaluator::kBatchOnCpu);
    for (int i = 0; i < settings_.cores; ++i) {
      CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<Evaluator> evaluator, MakeCpuEvaluator(network_));
      shared->Add(std::make_unique<MeteredEvaluator>(std::move(evaluator), &meter_));
    }
    return shared;
  }

  absl::StatusOr<Round> PlayMatch(int number) {
    CHUHE_ASSIGN_OR_RETURN(const std::shared_ptr<SharedEvaluator> shared, OpenShared());
    MatchOptions options;
    for (const char* name : {"A", "B"}) {
      EngineSpec spec;
      spec.name = name;
      spec.command = "net";
      spec.protocol = EngineProtocol::kBuiltin;
      options.engines.push_back(spec);
    }
    options.builtins = [&](const EngineSpec&) -> absl::StatusOr<BuiltinEngine> {
      TreeSearcherOptions search;
      search.search = MatchSearchOptions(network_->architecture());
      search.search.max_tree_bytes = TreeBytesFor(static_cast<size_t>(settings_.visits));
      BuiltinEngine engine;
      engine.searcher = std::make_unique<SharedTreeSearcher>(shared, search);
      engine.limits.nodes = settings_.visits;
      return engine;
    };
    options.schedule.games = settings_.length * settings_.games;
    options.concurrency = settings_.games;
    options.threads = settings_.cores;
    options.law.ply_cap = 60;
    options.openings = BuiltinOpenings();
    options.seed = static_cast<uint64_t>(number);
    options.journal = (std::filesystem::temp_directory_path() / "chuhe-match-bench").string();
    std::filesystem::remove(options.journal);
    const int64_t evaluations = meter_.evaluations;
    const int64_t calls = meter_.calls;
    const double wall = SecondsOf(CLOCK_MONOTONIC);
    const double cpu = SecondsOf(CLOCK_PROCESS_CPUTIME_ID);
    CHUHE_RETURN_IF_ERROR(Match(options).Run({}).status());
    const auto made = static_cast<double>(meter_.evaluations - evaluations);
    Round round;
    round.match = made / (SecondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    round.wall = made / (SecondsOf(CLOCK_MONOTONIC) - wall);
    round.batch = made / static_cast<double>(meter_.calls - calls);
    std::filesystem::remove(options.journal);
    return round;
  }

  std::shared_ptr<const PackedNetwork> network_;
  const Settings settings_;
  Meter meter_;
};

absl::Status Measure(const std::string& name, const Settings& settings) {
  CHUHE_ASSIGN_OR_RETURN(const NetworkWeights weights, BenchNetwork(name));
  CpuEvaluatorOptions cpu;
  cpu.precision = CpuPrecision::kInt8;
  const auto packed = OpenCpuNetwork(weights, cpu);
  if (!packed.ok()) return packed.status();
  CHUHE_ASSIGN_OR_RETURN(const std::vector<Round> rounds, Bench(*packed, settings).Run());
  const Spread ratio = SpreadOf(rounds, &Round::ratio);
  const auto middle = [&](double Round::*field) { return SpreadOf(rounds, field).median; };
  std::printf("%s: %s, %d games at a time, %d visits, %d evaluators\n", name.c_str(),
              Describe(**packed).c_str(), settings.games, settings.visits, settings.cores);
  std::printf(
      "  mean batch %.1f: bare %.0f evaluations/s, match %.0f, of computing time; ratio %.3f (%.3f "
      "to %.3f); %.0f by the clock\n",
      middle(&Round::batch), middle(&Round::bare), middle(&Round::match), ratio.median, ratio.low,
      ratio.high, middle(&Round::wall));
  std::fflush(stdout);
  return absl::OkStatus();
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  chuhe::Settings settings;
  return chuhe::RunNetworkBench(argc, argv,
                                {{"games", &settings.games},
                                 {"length", &settings.length},
                                 {"visits", &settings.visits},
                                 {"rounds", &settings.rounds},
                                 {"cores", &settings.cores},
                                 {"seconds", &settings.seconds}},
                                {"tiny", "small"}, [&](const std::string& network) {
                                  return chuhe::Measure(network, settings);
                                });
}
