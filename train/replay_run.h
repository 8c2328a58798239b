// A whole run of training on self-play games: follows the games of a run as they come in, or learns
// from the records of another one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "train/replay_training.h"
#include "train/run_report.h"

namespace chuhe {

struct ReplayRunOptions {
  std::string folder;           // runs/NAME
  std::string size = "small";   // of a new network
  std::string network_file;     // to start from instead of a new network
  int64_t publish_every = 500;  // steps
  int64_t report_every = 50;    // steps
  // With replay.records_folder the run ends when the records pay for no more steps.
  ReplayOptions replay;
};

// Trains until options.replay.trainer.steps are made, or until `stop` is set; publishes the network
// of the run on the way and at the end, and also the one that it starts with, so that self-play can
// begin. Where games are missing it waits for them. A run that was broken off goes on from its last
// checkpoint with the same batches. Blocks.
absl::Status RunReplay(const ReplayRunOptions& options, const std::atomic<bool>& stop,
                       const RunProgressSink& on_progress, const MessageSink& on_message);

}  // namespace chuhe
