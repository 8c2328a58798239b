#include "train/loop/loop.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/core_count.h"
#include "engine/base/status_macros.h"
#include "nets/onednn/random_positions.h"
#include "nets/weights/architecture.h"
#include "nets/weights/initialise.h"
#include "nets/weights/stored_file.h"
#include "nets/weights/weights_file.h"
#include "selfplay/play/self_play_runner.h"
#include "train/event_file.h"
#include "train/loop/core_shares.h"
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
constexpr int64_t kFewestSteps = 20;  // to take a core from self-play for
constexpr int kCalibrationPositions = 128;
constexpr int kShortName = 12;  // digits of a SHA-256 that people are shown

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Sums of reports, for their means.
struct LossSum {
  double policy = 0;
  double wdl = 0;
  double total = 0;
  int64_t steps = 0;

  void Add(const StepReport& report) {
    policy += report.policy;
    wdl += report.wdl;
    total += report.total;
    ++steps;
  }
  LossPoint Take(int64_t step) {
    const auto count = static_cast<double>(steps);
    const LossPoint point = {step, policy / count, wdl / count, total / count};
    *this = {};
    return point;
  }
};

class Loop {
 public:
  Loop(const LoopOptions& options, const LoopTools& tools, const std::atomic<bool>& stop,
       const LoopSink& sink, RunFolder folder, EventFile events, std::vector<Generation> history)
      : options_(options),
        tools_(tools),
        stop_(stop),
        sink_(sink),
        folder_(std::move(folder)),
        events_(std::move(events)),
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
  absl::Status AddRatingEvent();
  absl::Status WriteReport();
  absl::Status Tend();
  void OnStep(const StepReport& report);
  void ShowProgress();

  int number() const { return static_cast<int>(history_.size()); }
  int64_t StepsOf(int generation) const { return options_.steps_per_generation * generation; }
  std::string HistoryPath() const { return folder_.path() + "/history.json"; }

  const LoopOptions& options_;
  const LoopTools& tools_;
  const std::atomic<bool>& stop_;
  const LoopSink& sink_;
  RunFolder folder_;
  EventFile events_;
  std::vector<Generation> history_;
  CoreBudget budget_;
  PresentNetwork present_;
  std::unique_ptr<RunGames> games_;
  std::unique_ptr<ReplayTraining> training_;
  std::unique_ptr<SelfPlayRunner> runner_;
  absl::Status tending_;  // the first error of Tend() during steps

  // Of the generation that is being made, in this session.
  Clock::time_point began_ = Clock::now();
  SelfPlayStatistics play_at_begin_;
  LossSum losses_;
  Generation next_;
  int64_t trained_steps_ = 0;
  double trained_seconds_ = 0;

  // For progress.
  const Clock::time_point session_began_ = Clock::now();
  int64_t session_first_step_ = 0;
  Clock::time_point last_ingest_ = Clock::now();
  Clock::time_point last_report_ = Clock::now();
  int64_t reported_positions_ = 0;
  int64_t reported_step_ = 0;
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
  CHUHE_ASSIGN_OR_RETURN(training_, ReplayTraining::Open(folder_, named.weights, options_.replay));
  SelfPlayRunnerOptions runner;
  runner.play = options_.play;
  runner.workers = options_.workers > 0 ? options_.workers : budget_.cores();
  runner.journal_folder = folder_.games_path() + "/unfinished";
  runner.worker_name = "loop";
  // A run that goes on plays other games than those that it began with.
  runner.seed = static_cast<uint64_t>(options_.seed) + games_->games();
  CHUHE_ASSIGN_OR_RETURN(PlayingNetwork network, Playing(present_));
  CHUHE_ASSIGN_OR_RETURN(runner_,
                         SelfPlayRunner::Start(runner, std::move(network), games_->store()));
  session_first_step_ = reported_step_ = training_->steps_done();
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
    next_ = {};
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
  next_ = {};
  began_ = Clock::now();
  play_at_begin_ = runner_->statistics();
  trained_steps_ = 0;
  trained_seconds_ = 0;
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
  const BorrowedCores cores(&budget_, runner_.get(), "training", options_.replay.trainer.threads);
  const Clock::time_point start = Clock::now();
  const int64_t before = training_->steps_done();
  CHUHE_RETURN_IF_ERROR(
      training_->Train(target, stop_, [this](const StepReport& report) { OnStep(report); }));
  trained_seconds_ += SecondsSince(start);
  trained_steps_ += training_->steps_done() - before;
  return std::exchange(tending_, absl::OkStatus());
}

void Loop::OnStep(const StepReport& report) {
  losses_.Add(report);
  const int64_t every = std::max<int64_t>(1, options_.steps_per_generation / kLossPoints);
  if (report.step % every == 0) {
    const LossPoint point = losses_.Take(report.step);
    next_.losses.push_back(point);
    for (const auto& [tag, value] :
         {std::pair{"loss/policy", point.policy}, std::pair{"loss/wdl", point.wdl},
          std::pair{"loss/total", point.total}, std::pair{"learning_rate", report.learning_rate}}) {
      tending_.Update(events_.AddScalar(tag, report.step, static_cast<float>(value)));
    }
  }
  tending_.Update(Tend());
}

// What has to be done every now and then, whatever else goes on.
absl::Status Loop::Tend() {
  CHUHE_RETURN_IF_ERROR(runner_->status());
  if (Clock::now() - last_ingest_ >= kIngestEvery) {
    CHUHE_RETURN_IF_ERROR(games_->Ingest(sink_.on_message));
    last_ingest_ = Clock::now();
  }
  if (Clock::now() - last_report_ >= kReportEvery) ShowProgress();
  return absl::OkStatus();
}

void Loop::ShowProgress() {
  const double seconds = SecondsSince(last_report_);
  const int64_t positions = runner_->statistics().positions;
  LoopProgress progress;
  progress.generation = number();
  progress.generations = options_.generations;
  progress.step = training_->steps_done();
  progress.steps = StepsOf(options_.generations);
  progress.games = games_->games();
  progress.positions_per_s = static_cast<double>(positions - reported_positions_) / seconds;
  progress.samples_per_s =
      static_cast<double>(progress.step - reported_step_) * options_.replay.batch_size / seconds;
  const int64_t made = progress.step - session_first_step_;
  progress.seconds_left = made == 0 ? -1
                                    : SecondsSince(session_began_) / static_cast<double>(made) *
                                          static_cast<double>(progress.steps - progress.step);
  sink_.on_progress(progress);
  last_report_ = Clock::now();
  reported_positions_ = positions;
  reported_step_ = progress.step;
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
  Generation& made = next_;
  made.number = number();
  made.sha256 = present_.sha256;
  made.steps = present_.training_steps;
  if (runner_ != nullptr) {
    const SelfPlayStatistics play = runner_->statistics();
    const double seconds = play.seconds - play_at_begin_.seconds;
    made.positions_per_s = static_cast<double>(play.positions - play_at_begin_.positions) / seconds;
    made.evaluations_per_s =
        static_cast<double>(play.evaluations - play_at_begin_.evaluations) / seconds;
    made.samples_per_s = trained_seconds_ == 0 ? 0
                                               : static_cast<double>(trained_steps_) *
                                                     options_.replay.batch_size / trained_seconds_;
    made.games = static_cast<int64_t>(games_->games());
    made.positions = training_->window().total_positions;
    const auto first = static_cast<uint64_t>(history_.back().games);
    CHUHE_ASSIGN_OR_RETURN(made.play, games_->Summarize(first, games_->games()));
  }
  CHUHE_ASSIGN_OR_RETURN(made.ladder, PlayLadders(present_));
  // Rates do not count the time of the ladder.
  last_report_ = Clock::now();
  made.seconds = SecondsSince(began_) + (history_.empty() ? 0 : history_.back().seconds);
  history_.push_back(std::move(made));
  CHUHE_RETURN_IF_ERROR(WriteHistory(HistoryPath(), history_));
  CHUHE_RETURN_IF_ERROR(AddRatingEvent());
  return WriteReport();
}

// How strong the last one is, for TensorBoard.
absl::Status Loop::AddRatingEvent() {
  CHUHE_ASSIGN_OR_RETURN(const std::vector<LadderRating> ratings, RateRun(history_));
  const Generation& last = history_.back();
  for (const LadderRating& rating : ratings) {
    if (rating.player != GenerationName(last.number)) continue;
    CHUHE_RETURN_IF_ERROR(
        events_.AddScalar("ladder/elo", last.steps, static_cast<float>(rating.rating.elo)));
  }
  return events_.Flush();
}

absl::Status Loop::WriteReport() {
  CHUHE_ASSIGN_OR_RETURN(const std::vector<LadderRating> ratings, RateRun(history_));
  const std::string name = std::filesystem::path(folder_.path()).lexically_normal().string();
  CHUHE_RETURN_IF_ERROR(
      WriteStoredFile(folder_.path() + "/report.html", RunReportHtml(name, history_, ratings, {})));
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
