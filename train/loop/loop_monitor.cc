#include "train/loop/loop_monitor.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

constexpr double kTellEvery = 5;      // seconds
constexpr int64_t kLossPoints = 20;   // in a generation
constexpr double kLongestStep = 2.0;  // seconds; more is a pause between chunks of steps

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

LoopMonitor::LoopMonitor(const LoopOptions& options, const LoopSink& sink, EventFile events)
    : options_(options),
      sink_(sink),
      events_(std::move(events)),
      began_(Clock::now()),
      session_began_(began_),
      last_told_(began_),
      last_game_(began_),
      last_position_(began_) {}

void LoopMonitor::BeginGeneration(int number, const LoopState& state) {
  generation_ = number;
  began_ = Clock::now();
  at_begin_ = state;
  losses_.clear();
  trained_steps_ = 0;
  training_seconds_ = 0;
  if (is_in_session_) return;
  is_in_session_ = true;
  session_began_ = Clock::now();
  session_first_step_ = state.step;
  told_ = state;
}

absl::Status LoopMonitor::AddStep(const StepReport& report, const WindowReport& window) {
  const double seconds = SecondsSince(mean_began_);
  mean_began_ = Clock::now();
  // The first step of a chunk has waited for games.
  if (seconds < kLongestStep) {
    training_seconds_ += seconds;
    ++trained_steps_;
  }
  mean_.Add(report);
  const int64_t every = std::max<int64_t>(1, options_.steps_per_generation / kLossPoints);
  if (report.step % every != 0) return absl::OkStatus();
  RunProgress progress;
  progress.step = mean_.Take();
  progress.samples_per_s =
      training_seconds_ == 0
          ? 0
          : static_cast<double>(trained_steps_) * options_.replay.batch_size / training_seconds_;
  progress.window = window;
  last_step_ = progress.step;
  losses_.push_back({report.step, progress.step.policy, progress.step.wdl, progress.step.total});
  return WriteEvents(progress, &events_);
}

RunHealth LoopMonitor::HealthOf(const LoopState& state) const {
  RunHealth health;
  health.games = state.play.games - at_begin_.play.games;
  health.draws = state.play.draws - at_begin_.play.draws;
  health.capped = state.play.capped - at_begin_.play.capped;
  health.steps_due = state.steps_due;
  health.seconds_since_new_game = SecondsSince(last_game_);
  health.unreadable_games = state.window.unreadable_games;
  health.unreadable_problem = state.window.first_problem;
  if (last_step_.step > 0) {
    health.step = last_step_.step;
    health.loss = last_step_.total;
    health.policy_entropy = last_step_.target_entropy;
  }
  if (state.is_playing) health.workers = {{"of this loop", SecondsSince(last_position_)}};
  health.disk_free_bytes = FreeBytes(options_.folder);
  health.disk_path = options_.folder;
  return health;
}

void LoopMonitor::Observe(const LoopState& state) {
  if (state.play.games != told_.play.games) last_game_ = Clock::now();
  if (state.play.positions != told_.play.positions || !state.is_playing) {
    last_position_ = Clock::now();
  }
  if (SecondsSince(last_told_) < kTellEvery) return;
  health_ = HealthOf(state);
  for (const Warning& warning : alarm_.NewWarnings(health_)) {
    sink_.on_message(absl::StrCat("WARNING: ", warning.text));
  }
  Tell(state);
}

void LoopMonitor::Tell(const LoopState& state) {
  const double seconds = SecondsSince(last_told_);
  LoopProgress progress;
  progress.generation = generation_;
  progress.generations = options_.generations;
  progress.step = state.step;
  progress.steps = options_.steps_per_generation * options_.generations;
  progress.games = state.games;
  progress.positions_per_s =
      static_cast<double>(state.play.positions - told_.play.positions) / seconds;
  progress.samples_per_s =
      static_cast<double>(state.step - told_.step) * options_.replay.batch_size / seconds;
  const int64_t made = state.step - session_first_step_;
  progress.seconds_left = made == 0 ? -1
                                    : SecondsSince(session_began_) / static_cast<double>(made) *
                                          static_cast<double>(progress.steps - state.step);
  sink_.on_progress(progress);
  last_told_ = Clock::now();
  told_ = state;
}

void LoopMonitor::ForgetPause(const LoopState& state) {
  last_told_ = last_game_ = last_position_ = Clock::now();
  told_ = state;
}

absl::Status LoopMonitor::AddRating(int64_t step, double elo) {
  CHUHE_RETURN_IF_ERROR(events_.AddScalar("ladder/elo", step, static_cast<float>(elo)));
  return events_.Flush();
}

void LoopMonitor::Fill(const LoopState& state, Generation* generation) {
  const double seconds = std::max(state.play.seconds - at_begin_.play.seconds, 1e-3);
  const auto rate = [&](int64_t count) { return static_cast<double>(count) / seconds; };
  generation->positions_per_s = rate(state.play.positions - at_begin_.play.positions);
  generation->evaluations_per_s = rate(state.play.evaluations - at_begin_.play.evaluations);
  generation->samples_per_s =
      training_seconds_ == 0
          ? 0
          : static_cast<double>(trained_steps_) * options_.replay.batch_size / training_seconds_;
  generation->games = static_cast<int64_t>(state.games);
  generation->positions = state.window.total_positions;
  generation->losses = std::exchange(losses_, {});
}

std::vector<std::string> LoopMonitor::Warnings() const {
  std::vector<std::string> texts;
  for (const Warning& warning : Diagnose(health_)) texts.push_back(warning.text);
  return texts;
}

}  // namespace chuhe
