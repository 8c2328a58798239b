// Watches a loop: how fast it goes, how the losses fall, what goes wrong. Tells of it on the way
// and keeps what the history wants to know.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "selfplay/play/self_play_statistics.h"
#include "train/diagnosis.h"
#include "train/event_file.h"
#include "train/loop/history.h"
#include "train/loop/loop.h"
#include "train/replay_training.h"
#include "train/run_report.h"

namespace chuhe {

// How a loop stands.
struct LoopState {
  int64_t step = 0;
  int64_t steps_due = 0;
  uint64_t games = 0;
  bool is_playing = true;  // no other part has all cores
  SelfPlayStatistics play;
  WindowReport window;
};

// Owned by one thread. Options and sink must outlive it.
class LoopMonitor {
 public:
  LoopMonitor(const LoopOptions& options, const LoopSink& sink, EventFile events);

  // From here on steps and games are those that make this generation.
  void BeginGeneration(int number, const LoopState& state);
  // After each step. Errors are those of the file of events.
  absl::Status AddStep(const StepReport& report, const WindowReport& window);
  // To be called often; tells every few seconds how the loop stands, and of troubles that begin.
  void Observe(const LoopState& state);
  // A pause in which nothing was to be done, such as a ladder, shall not count.
  void ForgetPause(const LoopState& state);
  absl::Status AddRating(int64_t step, double elo);

  // What the history gets to know of the generation.
  void Fill(const LoopState& state, Generation* generation);
  // Of the troubles that there are now, one line each.
  std::vector<std::string> Warnings() const;

 private:
  using Clock = std::chrono::steady_clock;

  RunHealth HealthOf(const LoopState& state) const;
  void Tell(const LoopState& state);

  const LoopOptions& options_;
  const LoopSink& sink_;
  EventFile events_;
  Alarm alarm_;
  RunHealth health_;

  int generation_ = 0;
  Clock::time_point began_;  // the generation
  LoopState at_begin_;
  std::vector<LossPoint> losses_;
  ReportMean mean_;
  Clock::time_point mean_began_;
  double training_seconds_ = 0;
  int64_t trained_steps_ = 0;

  bool is_in_session_ = false;
  Clock::time_point session_began_;
  int64_t session_first_step_ = 0;
  Clock::time_point last_told_;
  LoopState told_;
  StepReport last_step_;
  Clock::time_point last_game_;
  Clock::time_point last_position_;
};

}  // namespace chuhe
