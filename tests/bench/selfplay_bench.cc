// How much of a core self-play leaves to the network: evaluations a second of a worker with all
// that belongs to it (search, games, journal), over those of the bare evaluator with the same
// positions at the same batch size. Both take turns; time is that of the thread on the CPU.
//
//   selfplay_bench [SIZE[:PRECISION]]... [--games=N] [--visits=N] [--rounds=N] [--seconds=S]
//
// The precision is int8 if not given.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_split.h"
#include "engine/base/status_macros.h"
#include "nets/onednn/cpu_evaluator.h"
#include "selfplay/play/self_play_runner.h"
#include "tests/bench/network_bench.h"

namespace chuhe {
namespace {

struct Settings {
  int games = 64;
  int visits = 64;
  int rounds = 5;
  double seconds = 1;
};

double ThreadSeconds() { return SecondsOf(CLOCK_THREAD_CPUTIME_ID); }

// What the worker's thread has done so far.
struct Meter {
  std::atomic<int64_t> evaluations = 0;
  std::atomic<double> thread_seconds = 0;
  std::atomic<double> evaluator_seconds = 0;
  // Some batches of self-play, for the bare evaluator. Read while the worker waits.
  std::vector<std::vector<EvaluationRequest>> batches;
  int64_t calls = 0;
};

class MeteredEvaluator : public Evaluator {
 public:
  MeteredEvaluator(std::unique_ptr<Evaluator> evaluator, Meter* meter)
      : evaluator_(std::move(evaluator)), meter_(meter) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    constexpr size_t kBatches = 16;
    constexpr int kEvery = 50;
    if (++meter_->calls % kEvery == 0 && meter_->batches.size() < kBatches) {
      meter_->batches.emplace_back(requests.begin(), requests.end());
    }
    const double before = ThreadSeconds();
    evaluator_->Evaluate(requests);
    const double now = ThreadSeconds();
    meter_->evaluator_seconds = meter_->evaluator_seconds + (now - before);
    meter_->thread_seconds = now;
    meter_->evaluations += static_cast<int64_t>(requests.size());
  }

 private:
  std::unique_ptr<Evaluator> evaluator_;
  Meter* meter_;
};

class NoStore : public GameStore {
 public:
  absl::StatusOr<GameId> Put(absl::string_view record_bytes) override { return IdOf(record_bytes); }
};

struct Round {
  double bare = 0;
  double play = 0;
  double ratio = 0;
  double share = 0;  // of the thread's time, in the evaluator
  double positions = 0;
};

Round Measure(SelfPlayRunner* runner, Evaluator* bare, Meter* meter, double seconds) {
  Round round;
  round.bare = BareRate(bare, &meter->batches, seconds / 2);
  const double evaluated = static_cast<double>(meter->evaluations);
  const double thread = meter->thread_seconds;
  const double evaluator = meter->evaluator_seconds;
  const auto positions = static_cast<double>(runner->statistics().positions);
  runner->SetActiveWorkers(1);
  while (meter->thread_seconds < thread + seconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  runner->SetActiveWorkers(0);
  round.bare = (round.bare + BareRate(bare, &meter->batches, seconds / 2)) / 2;
  const double spent = meter->thread_seconds - thread;
  round.play = (static_cast<double>(meter->evaluations) - evaluated) / spent;
  round.share = (meter->evaluator_seconds - evaluator) / spent;
  round.positions = (static_cast<double>(runner->statistics().positions) - positions) / spent;
  round.ratio = round.play / round.bare;
  return round;
}

absl::Status Bench(const std::string& name, const Settings& settings) {
  const std::vector<std::string> parts = absl::StrSplit(name, ':');
  CHUHE_ASSIGN_OR_RETURN(const NetworkWeights weights, BenchNetwork(parts[0]));
  CpuEvaluatorOptions cpu;
  const auto precision = ParseCpuPrecision(parts.size() > 1 ? parts[1] : "int8");
  if (!precision.ok()) return precision.status();
  cpu.precision = *precision;
  const auto packed = OpenCpuNetwork(weights, cpu);
  if (!packed.ok()) return packed.status();
  auto bare = MakeCpuEvaluator(*packed);
  if (!bare.ok()) return bare.status();

  Meter meter;
  NoStore store;
  const std::string folder =
      (std::filesystem::temp_directory_path() / "chuhe-selfplay-bench").string();
  std::filesystem::remove_all(folder);
  SelfPlayRunnerOptions options;
  options.play.games = settings.games;
  options.play.visits = settings.visits;
  options.journal_folder = folder;
  PlayingNetwork network;
  network.sha256 = std::string(64, '0');
  network.open = [&]() -> absl::StatusOr<std::unique_ptr<Evaluator>> {
    auto evaluator = MakeCpuEvaluator(*packed);
    if (!evaluator.ok()) return evaluator.status();
    return std::make_unique<MeteredEvaluator>(*std::move(evaluator), &meter);
  };
  auto runner = SelfPlayRunner::Start(options, network, &store);
  if (!runner.ok()) return runner.status();
  // Games are then at different plies.
  while (meter.thread_seconds < settings.seconds || meter.calls < 1000) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  (*runner)->SetActiveWorkers(0);
  std::vector<Round> rounds;
  for (int i = 0; i < settings.rounds; ++i) {
    rounds.push_back(Measure(runner->get(), bare->get(), &meter, settings.seconds));
  }
  const absl::Status status = (*runner)->Stop();
  std::filesystem::remove_all(folder);
  const Spread ratio = SpreadOf(rounds, &Round::ratio);
  const auto middle = [&](double Round::*field) { return SpreadOf(rounds, field).median; };
  std::printf("%-14s %s\n", name.c_str(), Describe(**packed).c_str());
  std::printf(
      "  batch %d: bare %.0f evaluations/s, self-play %.0f; ratio %.3f (%.3f to %.3f); %.3f of the "
      "time in the evaluator; %.2f us an evaluation outside; %.0f positions/s\n",
      settings.games, middle(&Round::bare), middle(&Round::play), ratio.median, ratio.low,
      ratio.high, middle(&Round::share), 1e6 * (1 - middle(&Round::share)) / middle(&Round::play),
      middle(&Round::positions));
  std::fflush(stdout);
  return status;
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  chuhe::Settings settings;
  return chuhe::RunNetworkBench(argc, argv,
                                {{"games", &settings.games},
                                 {"visits", &settings.visits},
                                 {"rounds", &settings.rounds},
                                 {"seconds", &settings.seconds}},
                                {"tiny", "small", "medium"}, [&](const std::string& network) {
                                  return chuhe::Bench(network, settings);
                                });
}
