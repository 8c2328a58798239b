#include "selfplay/play/self_play_runner.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "engine/base/status_macros.h"
#include "selfplay/play/finished_games.h"
#include "selfplay/play/game_journal.h"
#include "selfplay/play/self_play_worker.h"
#include "selfplay/play/worker_control.h"
#include "selfplay/records/record_bytes.h"
#include "selfplay/store/shard_folder.h"

namespace chuhe {
namespace {

// Of games in a file of openings, so many plies are taken.
constexpr int kOpeningPlies = 8;
// Games that are looked at again for the audit of resignations.
constexpr uint64_t kRecalledGames = 4000;

absl::StatusOr<std::vector<NetworkEvaluator>> OpenNetworks(const PlayingNetwork& network,
                                                           int workers) {
  std::vector<NetworkEvaluator> networks;
  for (int i = 0; i < workers; ++i) {
    CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<Evaluator> evaluator, network.open());
    networks.push_back({network.sha256, std::move(evaluator)});
  }
  return networks;
}

class ThreadedRunner : public SelfPlayRunner {
 public:
  ThreadedRunner(const SelfPlayRunnerOptions& options, std::vector<Opening> openings,
                 GameStore* store)
      : options_(options),
        resignation_(options.play),
        control_(options.workers),
        finished_(
            store, [this](const SelfPlayStatistics& counts) { control_.Add(counts); },
            [this](const absl::Status& status) { control_.Fail(status); }),
        start_(std::chrono::steady_clock::now()) {
    setting_.options = options.play;
    setting_.openings = std::move(openings);
    setting_.resignation = &resignation_;
    if (!options_.clock) options_.clock = [] { return absl::ToUnixSeconds(absl::Now()); };
  }

  ~ThreadedRunner() override { Stop().IgnoreError(); }

  absl::Status Begin(PlayingNetwork network) {
    CHUHE_RETURN_IF_ERROR(RecallGames());
    CHUHE_ASSIGN_OR_RETURN(std::vector<NetworkEvaluator> networks,
                           OpenNetworks(network, options_.workers));
    std::vector<JournalContent> parts(static_cast<size_t>(options_.workers));
    int64_t next_number = 0;
    if (!options_.journal_folder.empty()) {
      CHUHE_ASSIGN_OR_RETURN(JournalFolder folder, JournalFolder::Open(options_.journal_folder));
      journal_folder_.emplace(std::move(folder));
      next_number = journal_folder_->content().next_number;
      CHUHE_ASSIGN_OR_RETURN(journals_, journal_folder_->Deal(options_.workers, &parts));
      CHUHE_RETURN_IF_ERROR(PutFinished(parts.front()));
    }
    numbers_.emplace(options_.seed, next_number, options_.max_games);
    for (int i = 0; i < options_.workers; ++i) {
      const auto place = static_cast<size_t>(i);
      WorkerParts worker;
      worker.index = i;
      worker.name = options_.worker_name;
      worker.setting = &setting_;
      worker.numbers = &*numbers_;
      worker.control = &control_;
      worker.finished = &finished_;
      worker.journal = journals_.empty() ? nullptr : journals_[place].get();
      worker.clock = options_.clock;
      workers_.push_back(std::make_unique<SelfPlayWorker>(
          std::move(worker), std::move(networks[place]), std::move(parts[place].games)));
    }
    const MutexLock lock(&stop_mutex_);
    for (const auto& worker : workers_) {
      threads_.emplace_back([worker = worker.get()] { worker->Run(); });
    }
    return absl::OkStatus();
  }

  absl::Status SetNetwork(PlayingNetwork network) override {
    CHUHE_ASSIGN_OR_RETURN(std::vector<NetworkEvaluator> networks,
                           OpenNetworks(network, options_.workers));
    control_.GiveNetworks(std::move(networks));
    return absl::OkStatus();
  }

  void SetActiveWorkers(int count) override { control_.SetActive(count); }

  SelfPlayStatistics statistics() const override {
    SelfPlayStatistics statistics = control_.statistics();
    statistics.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return statistics;
  }

  absl::Status status() const override { return control_.status(); }

  bool is_finished() const override {
    if (options_.max_games == 0 || !control_.all_have_ended()) return false;
    return control_.statistics().games == finished_.pushed();
  }

  absl::Status Stop() override {
    control_.Stop();
    const MutexLock lock(&stop_mutex_);
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
    finished_.Close();
    return control_.status();
  }

 private:
  // What the games of earlier processes say of resignations.
  absl::Status RecallGames() {
    if (options_.earlier_games.empty()) return absl::OkStatus();
    CHUHE_ASSIGN_OR_RETURN(const ShardFolder shards, ShardFolder::Open(options_.earlier_games));
    const uint64_t count = std::min(kRecalledGames, shards.end() - shards.begin());
    for (uint64_t number = shards.end() - count; number < shards.end(); ++number) {
      const absl::StatusOr<GameRecord> game = shards.ReadGame(number);
      // What cannot be read teaches nothing here; training tells of it.
      if (game.ok()) resignation_.AddEarlier(*game);
    }
    return absl::OkStatus();
  }

  // Those of the last process that may not have come to the store.
  absl::Status PutFinished(const JournalContent& content) {
    for (const auto& [number, bytes] : content.finished) {
      FinishedGame game;
      game.number = number;
      game.record_bytes = bytes;
      CHUHE_ASSIGN_OR_RETURN(const GameRecord record, DecodeGame(bytes));
      game.counts.AddGame(record);
      game.journal = journals_.front().get();
      if (!finished_.Push(std::move(game))) return control_.status();
    }
    return absl::OkStatus();
  }

  SelfPlayRunnerOptions options_;
  SelfPlaySetting setting_;
  ResignationControl resignation_;
  WorkerControl control_;
  std::optional<JournalFolder> journal_folder_;
  std::vector<std::unique_ptr<GameJournal>> journals_;
  std::optional<GameNumbers> numbers_;
  FinishedGames finished_;
  const std::chrono::steady_clock::time_point start_;
  std::vector<std::unique_ptr<SelfPlayWorker>> workers_;
  Mutex stop_mutex_;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(stop_mutex_);
};

}  // namespace

absl::StatusOr<std::unique_ptr<SelfPlayRunner>> SelfPlayRunner::Start(
    const SelfPlayRunnerOptions& options, PlayingNetwork network, GameStore* store) {
  if (options.workers < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("self-play by ", options.workers, " workers; expected one or more"));
  }
  std::vector<Opening> openings;
  if (!options.play.openings.empty()) {
    CHUHE_ASSIGN_OR_RETURN(openings, ReadOpenings(options.play.openings, kOpeningPlies));
  }
  auto runner = std::make_unique<ThreadedRunner>(options, std::move(openings), store);
  CHUHE_RETURN_IF_ERROR(runner->Begin(std::move(network)));
  return runner;
}

}  // namespace chuhe
