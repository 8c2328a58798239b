// The settings of a run. `selfplay`, `train` and `loop` share them, so that one file serves all
// three; configs/default.yaml explains each.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/options.h"
#include "train/loop/loop_options.h"

namespace chuhe {

// What concerns files of games alone, and runs that are no loop.
struct TrainingRunOptions {
  int64_t publish_every = 500;  // steps
  int64_t report_every = 50;    // steps
  int validation_positions = 4096;
  int64_t validate_every = 1000;  // steps
};

// Owned by one thread.
class RunSettings {
 public:
  RunSettings();

  // The file, unless `config` is empty, and then the settings, each `KEY=VALUE`. Errors name the
  // place.
  absl::Status Read(const std::string& config, const std::vector<std::string>& settings);
  // Writes the settings as they are now to a file of the run's folder, which is made.
  absl::Status Write(const std::string& folder, const std::string& file = "config.yaml") const;
  // Those of some sections, such as "train.", one a line.
  std::string Help(const std::vector<std::string>& sections) const;
  // All of them with what they mean, as configs/default.yaml has them.
  std::string Document() const;

  LoopOptions loop;  // with self-play, training and ladder
  TrainingRunOptions training;
  std::string device = "cpu";      // that plays
  std::string precision = "auto";  // of playing

 private:
  OptionTable table_;
};

}  // namespace chuhe
