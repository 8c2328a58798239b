// A whole run of supervised training: from files of games to a network, resumable at any time.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "train/run_report.h"
#include "train/training_options.h"

namespace chuhe {

struct SupervisedRunOptions {
  std::string folder;                   // runs/NAME
  std::vector<std::string> game_files;  // at least one; any that VisitGames() reads
  std::string size = "small";           // of a new network
  std::string network_file;             // to begin with instead of a new network
  int batch_size = 256;
  int validation_one_in = 40;  // share of the games that is held out
  int validation_positions = 4096;
  int64_t validate_every = 1000;   // steps
  int64_t checkpoint_every = 500;  // steps
  int64_t report_every = 50;       // steps
  int loader_threads = 1;
  uint64_t seed = 1;
  TrainerOptions trainer;
};

// Trains until options.trainer.steps are made, or until `stop` is set; then saves a checkpoint and
// publishes the network in the run folder. A run that was broken off goes on from its last
// checkpoint with the same batches. Blocks.
absl::Status RunSupervised(const SupervisedRunOptions& options, const std::atomic<bool>& stop,
                           const RunProgressSink& on_progress, const MessageSink& on_message);

}  // namespace chuhe
