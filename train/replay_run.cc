#include "train/replay_run.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nets/features/random_positions.h"
#include "nets/weights/initialise.h"
#include "train/diagnosis.h"
#include "train/event_file.h"
#include "train/present_network.h"
#include "train/run_folder.h"

namespace chuhe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCalibrationPositions = 512;
// So many steps are waited for, so that writing checkpoints takes little of the time.
constexpr int64_t kLeastSteps = 20;
constexpr auto kLookAgain = std::chrono::seconds(1);
constexpr auto kLookAtStop = std::chrono::milliseconds(50);

absl::StatusOr<NetworkWeights> FirstNetwork(const ReplayRunOptions& options) {
  if (!options.network_file.empty()) {
    CHUHE_ASSIGN_OR_RETURN(NamedNetwork network, ReadNetwork(options.network_file));
    network.weights.origin.parent = network.sha256;
    network.weights.origin.training_steps = 0;  // of this run
    return std::move(network.weights);
  }
  CHUHE_ASSIGN_OR_RETURN(const Architecture architecture, ParseArchitecture(options.size));
  return InitialNetwork(architecture, options.replay.trainer.network_seed);
}

class ReplayRun {
 public:
  ReplayRun(const ReplayRunOptions& options, const std::atomic<bool>& stop,
            const RunProgressSink& on_progress, const MessageSink& on_message)
      : options_(options), stop_(stop), on_progress_(on_progress), on_message_(on_message) {}

  absl::Status Run() {
    CHUHE_RETURN_IF_ERROR(Open());
    const int64_t target = options_.replay.trainer.steps;
    while (training_->steps_done() < target && !stop_) {
      CHUHE_RETURN_IF_ERROR(training_->Refresh());
      const int64_t done = training_->steps_done();
      const int64_t publish_at = (done / options_.publish_every + 1) * options_.publish_every;
      const int64_t wanted = std::min(target, publish_at) - done;
      const int64_t due = training_->steps_due();
      if (due < (is_following() ? std::min(wanted, kLeastSteps) : 1)) {
        if (!is_following()) break;
        Wait();
        continue;
      }
      is_waiting_ = false;
      CHUHE_RETURN_IF_ERROR(Train(done + std::min(wanted, options_.replay.checkpoint_every)));
      if (training_->steps_done() >= publish_at) CHUHE_RETURN_IF_ERROR(Publish());
    }
    if (!is_following() && training_->steps_done() < target && !stop_) {
      on_message_(absl::StrCat("the records pay for ", training_->steps_done(), " of ", target,
                               " steps; a higher train.samples_per_position pays for more"));
    }
    return training_->steps_done() > published_steps_ ? Publish() : absl::OkStatus();
  }

 private:
  bool is_following() const { return options_.replay.records_folder.empty(); }

  absl::Status Open() {
    CHUHE_ASSIGN_OR_RETURN(folder_, RunFolder::Open(options_.folder));
    CHUHE_ASSIGN_OR_RETURN(const NetworkWeights network, PublishedNetwork());
    CHUHE_ASSIGN_OR_RETURN(training_,
                           ReplayTraining::Open(*folder_, network, options_.replay, on_message_));
    CHUHE_ASSIGN_OR_RETURN(EventFile events, EventFile::Create(folder_->events_path()));
    events_ = std::make_unique<EventFile>(std::move(events));
    const WindowReport window = training_->window();
    if (training_->steps_done() > 0) {
      on_message_(absl::StrCat("resumed after step ", training_->steps_done()));
    }
    on_message_(absl::StrCat("games ", window.first_game, " to ", window.end_game, ": ",
                             window.positions, " positions of ", window.total_positions, "; ",
                             training_->steps_due(), " steps to make"));
    Warn();
    return absl::OkStatus();
  }

  // The run's present network; a first one is made so if there is none.
  absl::StatusOr<NetworkWeights> PublishedNetwork() {
    absl::StatusOr<PresentNetwork> present = ReadPresentNetwork(options_.folder);
    if (absl::IsNotFound(present.status())) {
      CHUHE_ASSIGN_OR_RETURN(const NetworkWeights first, FirstNetwork(options_));
      CHUHE_RETURN_IF_ERROR(folder_
                                ->Publish(first, StorageType::kFloat16,
                                          RandomPositions(kCalibrationPositions,
                                                          options_.replay.trainer.network_seed))
                                .status());
      present = ReadPresentNetwork(options_.folder);
    }
    CHUHE_RETURN_IF_ERROR(present.status());
    CHUHE_ASSIGN_OR_RETURN(NamedNetwork network, ReadNetwork(present->path, present->sha256));
    published_steps_ = network.weights.origin.training_steps;
    return std::move(network.weights);
  }

  // Tells once that games are missing, then looks for them.
  void Wait() {
    if (!is_waiting_) {
      const WindowReport window = training_->window();
      const int64_t missing = options_.replay.min_positions - window.total_positions;
      on_message_(missing > 0 ? absl::StrCat("waiting for games: ", missing,
                                             " more positions before the first step")
                              : std::string("waiting for games to pay for more steps"));
    }
    is_waiting_ = true;
    Warn();
    const Clock::time_point again = Clock::now() + kLookAgain;
    while (!stop_ && Clock::now() < again) std::this_thread::sleep_for(kLookAtStop);
  }

  absl::Status Train(int64_t step) {
    began_ = Clock::now();
    absl::Status status;
    CHUHE_RETURN_IF_ERROR(training_->Train(step, stop_, [&](const StepReport& report) {
      mean_.Add(report);
      if (report.step % options_.report_every == 0) status.Update(Report());
    }));
    if (training_->steps_done() == options_.replay.trainer.steps && mean_.count() > 0) {
      status.Update(Report());
    }
    seconds_ += SecondsSinceBegan();
    return status;
  }

  double SecondsSinceBegan() const {
    return std::chrono::duration<double>(Clock::now() - began_).count();
  }

  absl::Status Report() {
    seconds_ += SecondsSinceBegan();
    RunProgress progress;
    progress.samples_per_s = mean_.count() * options_.replay.batch_size / std::max(seconds_, 1e-9);
    progress.step = mean_.Take();
    progress.window = training_->window();
    seconds_ = 0;
    health_.step = progress.step.step;
    health_.loss = progress.step.total;
    health_.policy_entropy = progress.step.target_entropy;
    on_progress_(progress);
    Warn();
    const absl::Status status = WriteEvents(progress, events_.get());
    began_ = Clock::now();
    return status;
  }

  // Tells of what goes wrong without being an error.
  void Warn() {
    const WindowReport window = training_->window();
    if (window.end_game != last_end_game_) last_new_game_ = Clock::now();
    last_end_game_ = window.end_game;
    health_.games = window.recent.games;
    health_.draws = window.recent.draws;
    health_.capped = window.recent.capped;
    health_.steps_due = is_waiting_ ? 0 : training_->steps_due();
    health_.seconds_since_new_game =
        std::chrono::duration<double>(Clock::now() - last_new_game_).count();
    health_.unreadable_games = window.unreadable_games;
    health_.unreadable_problem = window.first_problem;
    health_.disk_path = options_.folder;
    health_.disk_free_bytes = FreeBytes(options_.folder);
    for (const Warning& warning : alarm_.NewWarnings(health_)) {
      on_message_(absl::StrCat("warning: ", warning.text));
    }
  }

  absl::Status Publish() {
    CHUHE_ASSIGN_OR_RETURN(const std::string sha256, training_->Publish());
    published_steps_ = training_->steps_done();
    on_message_(absl::StrCat("network: ", folder_->network_path(sha256)));
    return absl::OkStatus();
  }

  const ReplayRunOptions& options_;
  const std::atomic<bool>& stop_;
  const RunProgressSink& on_progress_;
  const MessageSink& on_message_;
  std::optional<RunFolder> folder_;
  std::unique_ptr<ReplayTraining> training_;
  std::unique_ptr<EventFile> events_;
  ReportMean mean_;
  Clock::time_point began_;
  double seconds_ = 0;  // of making steps since the last report, before began_
  int64_t published_steps_ = 0;
  bool is_waiting_ = false;
  Alarm alarm_;
  RunHealth health_;
  uint64_t last_end_game_ = 0;
  Clock::time_point last_new_game_ = Clock::now();
};

}  // namespace

absl::Status RunReplay(const ReplayRunOptions& options, const std::atomic<bool>& stop,
                       const RunProgressSink& on_progress, const MessageSink& on_message) {
  return ReplayRun(options, stop, on_progress, on_message).Run();
}

}  // namespace chuhe
