// A whole run of supervised training: from files of games to a network, resumable at any time.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "train/trainer.h"
#include "train/training_options.h"

namespace chuhe {

struct SupervisedRunOptions {
  std::string folder;                   // runs/NAME
  std::vector<std::string> game_files;  // at least one
  std::string size = "small";           // of a new network
  int batch_size = 256;
  int validation_one_in = 40;  // share of the games that is held out
  int validation_positions = 4096;
  int64_t validate_every = 1000;   // steps
  int64_t checkpoint_every = 500;  // steps
  uint64_t seed = 1;
  TrainerOptions trainer;
};

// How a run stands, after a step or a validation.
struct RunProgress {
  StepReport step;           // means since the last report
  double samples_per_s = 0;  // since the last report
  bool is_validated = false;
  ValidationReport validation;  // on games that are held out
  ValidationReport unseen;      // on those of their positions that no training game has
};
using RunProgressSink = std::function<void(const RunProgress&)>;
using MessageSink = std::function<void(const std::string&)>;

// Trains until options.trainer.steps are made, or until `stop` is set; then saves a checkpoint and
// publishes the network in the run folder. A run that was broken off goes on from its last
// checkpoint with the same batches. Blocks. Messages are for the user: what was read, skipped,
// resumed, written.
absl::Status RunSupervised(const SupervisedRunOptions& options, const std::atomic<bool>& stop,
                           const RunProgressSink& on_progress, const MessageSink& on_message);

}  // namespace chuhe
