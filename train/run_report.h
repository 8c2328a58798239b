// How a training run tells of its progress: to people, to programs, to TensorBoard.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "train/event_file.h"
#include "train/replay_training.h"
#include "train/trainer.h"

namespace chuhe {

// How a run stands, after some steps or a validation.
struct RunProgress {
  StepReport step;           // means since the last report
  double samples_per_s = 0;  // while steps were made, since the last report
  bool is_validated = false;
  ValidationReport validation;         // on games that are held out
  ValidationReport unseen;             // on those of their positions that no training game has
  std::optional<WindowReport> window;  // of self-play
};
using RunProgressSink = std::function<void(const RunProgress&)>;
// For the user: what was read, skipped, resumed, written.
using MessageSink = std::function<void(const std::string&)>;

// Means of the reports since the last one was taken. Owned by one thread.
class ReportMean {
 public:
  void Add(const StepReport& report);
  StepReport Take();
  int count() const { return count_; }

 private:
  StepReport sum_;
  int count_ = 0;
};

// The points of a report, handed to the system.
absl::Status WriteEvents(const RunProgress& progress, EventFile* events);

}  // namespace chuhe
