// What it costs training to make its batches: steps with the loader beside the trainer, against the
// bare forward and backward passes on one batch that is there. The two take turns in blocks, since
// machines change their speed.
//
//   loader_bench [SIZE…] [--rounds N] [--steps N]
//
// A line for each size: by wall time as it is felt, and by the CPU time of the whole process, which
// other programs on the machine disturb less. In front of it, what the parts cost.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nets/weights/architecture.h"
#include "selfplay/records/record_bytes.h"
#include "tests/train/self_play_games.h"
#include "train/batch_loader.h"
#include "train/replay_source.h"
#include "train/trainer.h"

namespace chuhe {
namespace {

constexpr int kBatch = 256;
constexpr int kGames = 300;
constexpr int kPlies = 100;

struct Times {
  double wall_s = 0;
  double cpu_s = 0;
};

Times Now() {
  timespec cpu;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now().time_since_epoch();
  return {wall.count(), static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec)};
}

template <typename Work>
Times TimeOf(const Work& work) {
  const Times begin = Now();
  work();
  const Times end = Now();
  return {end.wall_s - begin.wall_s, end.cpu_s - begin.cpu_s};
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void Print(const char* what, const std::vector<double>& ratios) {
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  std::printf("  %s %.1f %% (%.1f to %.1f)", what, 100 * Median(ratios), 100 * *low, 100 * *high);
}

void RunSize(const std::string& size, const ReplaySource& source, int rounds, int steps) {
  const auto architecture = ParseArchitecture(size);
  if (!architecture.ok()) {
    std::fprintf(stderr, "%s\n", std::string(architecture.status().message()).c_str());
    std::exit(EXIT_FAILURE);
  }
  const std::unique_ptr<Trainer> trainer = Trainer::Create(*architecture, {}).value();
  std::vector<Sample> samples(kBatch);
  source.Fill(0, samples);
  const Batch fixed = MakeBatch(samples);
  const auto bare = [&] {
    for (int i = 0; i < steps; ++i) trainer->Step(fixed).value();
  };
  const auto loaded = [&] {
    const auto first = static_cast<uint64_t>(trainer->steps_done());
    BatchLoader loader(&source, kBatch, first, /*threads=*/1, /*ahead=*/4,
                       first + static_cast<uint64_t>(steps));
    for (int i = 0; i < steps; ++i) trainer->Step(loader.Next()).value();
  };
  bare();
  std::vector<double> wall;
  std::vector<double> cpu;
  std::vector<double> step_ms;
  for (int round = 0; round < rounds; ++round) {
    // In turns, so that a drift meets both alike.
    const Times first = round % 2 == 0 ? TimeOf(bare) : TimeOf(loaded);
    const Times second = round % 2 == 0 ? TimeOf(loaded) : TimeOf(bare);
    const Times& without = round % 2 == 0 ? first : second;
    const Times& with = round % 2 == 0 ? second : first;
    wall.push_back(without.wall_s / with.wall_s);
    cpu.push_back(without.cpu_s / with.cpu_s);
    step_ms.push_back(1000 * without.cpu_s / steps);
  }
  std::printf("%-8s bare step %.1f ms; steps/s with the loader:", size.c_str(), Median(step_ms));
  Print("wall", wall);
  Print("CPU", cpu);
  std::printf("\n");
}

int Main(int argc, char** argv) {
  std::vector<std::string> sizes;
  int rounds = 10;
  int steps = 20;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--rounds" && i + 1 < argc) {
      rounds = std::atoi(argv[++i]);
    } else if (argument == "--steps" && i + 1 < argc) {
      steps = std::atoi(argv[++i]);
    } else {
      sizes.emplace_back(argument);
    }
  }
  if (sizes.empty()) sizes = {"tiny", "small"};
  std::vector<std::string> records;
  for (const GameRecord& game : SelfPlayGames(kGames, kPlies)) {
    records.push_back(EncodeGame(game).value());
  }
  std::vector<std::shared_ptr<const PackedGame>> games;
  const Times packing = TimeOf([&] {
    for (const std::string& record : records) {
      games.push_back(std::make_shared<const PackedGame>(DecodeGame(record).value()));
    }
  });
  size_t bytes = 0;
  for (const auto& game : games) bytes += game->bytes();
  const ReplaySource source(games, 1);
  std::vector<Sample> samples(kBatch);
  constexpr int kBatches = 40;
  const Times batches = TimeOf([&] {
    for (uint64_t step = 0; step < kBatches; ++step) {
      source.Fill(step, samples);
      MakeBatch(samples);
    }
  });
  const auto positions = static_cast<double>(source.positions());
  std::printf(
      "a position enters the window in %.1f us and takes %.0f bytes; a sample of a batch "
      "takes %.1f us\n",
      1e6 * packing.cpu_s / positions, static_cast<double>(bytes) / positions,
      1e6 * batches.cpu_s / (kBatches * kBatch));
  for (const std::string& size : sizes) RunSize(size, source, rounds, steps);
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) { return chuhe::Main(argc, argv); }
