#include "train/loop/loop.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/core_count.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"
#include "nets/features/random_positions.h"
#include "nets/weights/architecture.h"
#include "nets/weights/initialise.h"
#include "nets/weights/weights_file.h"
#include "selfplay/play/self_play_runner.h"
#include "train/event_file.h"
#include "train/loop/core_shares.h"
#include "train/loop/loop_monitor.h"
#include "train/loop/report.h"
#include "train/loop/run_games.h"
#include "train/present_network.h"
#include "train/replay_training.h"
#include "train/run_folder.h"

namespace chuhe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kPause = std::chrono::milliseconds(200);  // while there is nothing to learn
constexpr auto kIngestEvery = std::chrono::seconds(1);
constexpr auto kReportEvery = std::chrono::seconds(5);
constexpr int kLossPoints = 20;       // in a generation
constexpr int64_t kPartBehind = 4;    // of a generation training may lag behind
constexpr int64_t kFewestSteps = 20;  // to take a core from self-play for
constexpr int kCalibrationPositions = 128;
constexpr int kShortName = 12;  // digits of a SHA-256 that people are shown

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Loop {
 public:
  Loop(const LoopOptions& options, const LoopTools& tools, const std::atomic<bool>& stop,
       const LoopSink& sink, RunFolder folder, EventFile events, std::vector<Generation> history)
      : options_(options),
        tools_(tools),
        stop_(stop),
        sink_(sink),
        folder_(std::move(folder)),
        monitor_(options, sink, std::move(events)),
        history_(std::move(history)),
        budget_(options.cores > 0 ? options.cores : AvailableCores()) {}

  absl::Status Run();

 private:
  absl::Status PrepareNetwork();
  absl::Status Open();
  absl::StatusOr<PlayingNetwork> Playing(const PresentNetwork& present) const;
  // The games and steps of one generation, up to its network. Ends early if stop_ is set.
  absl::Status Learn();
  absl::Status TrainSome(int64_t target);
  absl::Status Finish();
  absl::StatusOr<std::vector<LadderResult>> PlayLadders(const PresentNetwork& present);
  std::vector<LadderNetwork> EarlierNetworks() const;
  absl::Status WriteReport();
  absl::Status Tend();
  LoopState State() const;

  int number() const { return static_cast<int>(history_.size()); }
  int64_t StepsOf(int generation) const { return options_.steps_per_generation * generation; }
  std::string HistoryPath() const { return folder_.path() + "/history.json"; }

  const LoopOptions& options_;
  const LoopTools& tools_;
  const std::atomic<bool>& stop_;
  const LoopSink& sink_;
  RunFolder folder_;
  LoopMonitor monitor_;
  std::vector<Generation> history_;
  CoreBudget budget_;
  PresentNetwork present_;
  std::unique_ptr<RunGames> games_;
  std::unique_ptr<ReplayTraining> training_;
  std::unique_ptr<SelfPlayRunner> runner_;
  Clock::time_point began_ = Clock::now();  // the generation, in this session
  Clock::time_point last_ingest_ = Clock::now();
};

// Makes the network that the run begins with, unless the run has one already.
absl::Status Loop::PrepareNetwork() {
  absl::StatusOr<PresentNetwork> present = ReadPresentNetwork(options_.folder);
  if (absl::IsNotFound(present.status())) {
    NetworkWeights network;
    if (options_.initial_network.empty()) {
      CHUHE_ASSIGN_OR_RETURN(const Architecture architecture, ParseArchitecture(options_.size));
      network = InitialNetwork(architecture, static_cast<uint64_t>(options_.seed));
      network.origin.note = "a network that has learnt nothing yet";
    } else {
      CHUHE_ASSIGN_OR_RETURN(NamedNetwork named, ReadNetwork(options_.initial_network));
      network = std::move(named.weights);
      network.origin.parent = named.sha256;
      network.origin.training_steps = 0;  // counted from here
    }
    CHUHE_RETURN_IF_ERROR(
        folder_
            .Publish(std::move(network), StorageType::kFloat16,
                     RandomPositions(kCalibrationPositions, static_cast<uint64_t>(options_.seed)))
            .status());
    present = ReadPresentNetwork(options_.folder);
  }
  if (!present.ok()) return present.status();
  present_ = *std::move(present);
  return absl::OkStatus();
}

absl::StatusOr<PlayingNetwork> Loop::Playing(const PresentNetwork& present) const {
  CHUHE_ASSIGN_OR_RETURN(NamedNetwork named, ReadNetwork(present.path, present.sha256));
  const auto weights = std::make_shared<const NetworkWeights>(std::move(named.weights));
  return PlayingNetwork{.sha256 = present.sha256, .open = [weights, &tools = tools_] {
                          return tools.open_evaluator(*weights);
                        }};
}

absl::Status Loop::Open() {
  CHUHE_ASSIGN_OR_RETURN(games_, RunGames::Open(folder_.games_path()));
  CHUHE_RETURN_IF_ERROR(games_->Ingest(sink_.on_message));
  // What training goes on from where there is no checkpoint.
  CHUHE_ASSIGN_OR_RETURN(const NamedNetwork named, ReadNetwork(present_.path, present_.sha256));
  CHUHE_ASSIGN_OR_RETURN(
      training_, ReplayTraining::Open(folder_, named.weights, options_.replay, sink_.on_message));
  SelfPlayRunnerOptions runner;
  runner.play = options_.play;
  runner.workers = options_.workers > 0 ? options_.workers : budget_.cores();
  runner.journal_folder = folder_.games_path() + "/under_way";
  runner.earlier_games = folder_.games_path() + "/shards";
  runner.worker_name = "loop";
  // A run that goes on plays other games than those that it began with.
  runner.seed = static_cast<uint64_t>(options_.seed) + games_->games();
  CHUHE_ASSIGN_OR_RETURN(PlayingNetwork network, Playing(present_));
  CHUHE_ASSIGN_OR_RETURN(runner_,
                         SelfPlayRunner::Start(runner, std::move(network), games_->store()));
  if (training_->steps_done() > 0) {
    sink_.on_message(absl::StrCat("going on after step ", training_->steps_done(), ", with ",
                                  games_->games(), " games"));
  }
  return absl::OkStatus();
}

absl::Status Loop::Run() {
  CHUHE_RETURN_IF_ERROR(PrepareNetwork());
  // Measured before anything else runs.
  if (history_.empty()) {
    absl::Status status = Finish();
    if (absl::IsCancelled(status)) return absl::OkStatus();
    if (!status.ok()) return status;
  }
  if (number() > options_.generations) {
    sink_.on_message(absl::StrCat("all ", options_.generations, " generations are there already"));
    return WriteReport();
  }
  CHUHE_RETURN_IF_ERROR(Open());
  absl::Status status;
  while (number() <= options_.generations && !stop_ && status.ok()) {
    status = Learn();
    if (status.ok() && !stop_) status = Finish();
  }
  status.Update(runner_->Stop());
  status.Update(games_->Ingest(sink_.on_message));
  return absl::IsCancelled(status) ? absl::OkStatus() : status;
}

absl::Status Loop::Learn() {
  began_ = Clock::now();
  monitor_.BeginGeneration(number(), State());
  const int64_t target = StepsOf(number());
  while (training_->steps_done() < target && !stop_) {
    CHUHE_RETURN_IF_ERROR(Tend());
    CHUHE_RETURN_IF_ERROR(training_->Refresh());
    const int64_t wanted = target - training_->steps_done();
    if (training_->steps_due() >= std::min(wanted, kFewestSteps)) {
      CHUHE_RETURN_IF_ERROR(TrainSome(target));
    } else {
      std::this_thread::sleep_for(kPause);
    }
  }
  if (stop_) return absl::OkStatus();
  // It is there already where the loop was ended during the ladder.
  if (present_.training_steps != training_->steps_done()) {
    CHUHE_RETURN_IF_ERROR(training_->Publish().status());
    CHUHE_ASSIGN_OR_RETURN(present_, ReadPresentNetwork(options_.folder));
  }
  CHUHE_ASSIGN_OR_RETURN(PlayingNetwork network, Playing(present_));
  return runner_->SetNetwork(std::move(network));
}

absl::Status Loop::TrainSome(int64_t target) {
  // Where games come in faster than they are learnt from, self-play has to wait, or samples would
  // be lost for good.
  const int64_t most_behind = options_.steps_per_generation / kPartBehind;
  const bool is_behind = training_->steps_due() > std::max(most_behind, kFewestSteps);
  const BorrowedCores cores(&budget_, runner_.get(), "training",
                            is_behind ? budget_.cores() : options_.replay.trainer.threads);
  training_->SetThreads(cores.cores());
  // The first error of what is done on the way; the steps are not to blame.
  absl::Status status;
  CHUHE_RETURN_IF_ERROR(training_->Train(target, stop_, [&](const StepReport& report) {
    status.Update(monitor_.AddStep(report, training_->window()));
    status.Update(Tend());
  }));
  return status;
}

LoopState Loop::State() const {
  return {.step = training_->steps_done(),
          .steps_due = training_->steps_due(),
          .games = games_->games(),
          .is_playing = budget_.free_cores() > 0,
          .play = runner_->statistics(),
          .window = training_->window()};
}

// What has to be done every now and then, whatever else goes on.
absl::Status Loop::Tend() {
  CHUHE_RETURN_IF_ERROR(runner_->status());
  if (Clock::now() - last_ingest_ >= kIngestEvery) {
    CHUHE_RETURN_IF_ERROR(games_->Ingest(sink_.on_message));
    last_ingest_ = Clock::now();
  }
  monitor_.Observe(State());
  return absl::OkStatus();
}

std::vector<LadderNetwork> Loop::EarlierNetworks() const {
  std::vector<LadderNetwork> networks;
  for (const Generation& generation : history_) {
    networks.push_back({generation.number, folder_.network_path(generation.sha256)});
  }
  return networks;
}

absl::StatusOr<std::vector<LadderResult>> Loop::PlayLadders(const PresentNetwork& present) {
  const BorrowedCores cores(&budget_, runner_.get(), "ladder", budget_.cores());
  LadderOptions options = options_.ladder;
  options.seed = static_cast<uint64_t>(options_.seed);
  options.concurrency = cores.cores();
  const std::string folder = folder_.path() + "/matches";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return absl::UnavailableError(absl::StrCat(folder, ": ", error.message()));
  const std::string journal = absl::StrCat(folder, "/", GenerationName(number()), "-",
                                           present.sha256.substr(0, kShortName), ".jsonl");
  CHUHE_ASSIGN_OR_RETURN(std::vector<LadderResult> results,
                         PlayLadder(options, {number(), present.path}, EarlierNetworks(), journal,
                                    tools_.ladder_players, stop_));
  if (history_.empty()) {
    CHUHE_ASSIGN_OR_RETURN(const std::vector<LadderResult> anchors, PlayAnchors(options, stop_));
    results.insert(results.end(), anchors.begin(), anchors.end());
  }
  return results;
}

// Measures the present network and adds it to the history, as generation number().
absl::Status Loop::Finish() {
  Generation made;
  made.number = number();
  made.sha256 = present_.sha256;
  made.steps = present_.training_steps;
  if (runner_ != nullptr) {
    CHUHE_RETURN_IF_ERROR(training_->Refresh());
    monitor_.Fill(State(), &made);
    const auto first = static_cast<uint64_t>(history_.back().games);
    CHUHE_ASSIGN_OR_RETURN(made.play, games_->Summarize(first, static_cast<uint64_t>(made.games)));
  }
  CHUHE_ASSIGN_OR_RETURN(made.ladder, PlayLadders(present_));
  if (runner_ != nullptr) monitor_.ForgetPause(State());
  made.seconds = SecondsSince(began_) + (history_.empty() ? 0 : history_.back().seconds);
  history_.push_back(std::move(made));
  CHUHE_RETURN_IF_ERROR(WriteHistory(HistoryPath(), history_));
  CHUHE_ASSIGN_OR_RETURN(const std::vector<LadderRating> ratings, RateRun(history_));
  for (const LadderRating& rating : ratings) {
    if (rating.player != GenerationName(history_.back().number)) continue;
    CHUHE_RETURN_IF_ERROR(monitor_.AddRating(history_.back().steps, rating.rating.elo));
  }
  return WriteReport();
}

absl::Status Loop::WriteReport() {
  CHUHE_ASSIGN_OR_RETURN(const std::vector<LadderRating> ratings, RateRun(history_));
  const std::string name = std::filesystem::path(folder_.path()).lexically_normal().string();
  CHUHE_RETURN_IF_ERROR(
      WriteStoredFile(folder_.path() + "/report.html",
                      RunReportHtml(name, history_, ratings, monitor_.Warnings())));
  sink_.on_generation(history_, ratings);
  return absl::OkStatus();
}

}  // namespace

absl::Status RunLoop(const LoopOptions& options, const LoopTools& tools,
                     const std::atomic<bool>& stop, const LoopSink& sink) {
  CHUHE_ASSIGN_OR_RETURN(RunFolder folder, RunFolder::Open(options.folder));
  CHUHE_ASSIGN_OR_RETURN(EventFile events, EventFile::Create(folder.events_path()));
  CHUHE_ASSIGN_OR_RETURN(std::vector<Generation> history,
                         ReadHistory(folder.path() + "/history.json"));
  Loop loop(options, tools, stop, sink, std::move(folder), std::move(events), std::move(history));
  return loop.Run();
}

}  // namespace chuhe
