// `chuhe selfplay`: games that a network plays against itself, into the games folder of a run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "cli/network_evaluator.h"
#include "cli/run_settings.h"
#include "engine/base/mutex.h"
#include "selfplay/play/self_play_runner.h"
#include "selfplay/store/spool_folder.h"
#include "selfplay/store/spool_ingester.h"

namespace chuhe {

class SelfPlayCommand : public Command {
 public:
  void Register(CLI::App& app) override;
  int Run() override;

 private:
  absl::Status Prepare();
  absl::Status Play();
  // The network to play with now: its name and file.
  absl::StatusOr<std::string> NetworkFile() const;
  absl::StatusOr<PlayingNetwork> ReadPlayingNetwork(const std::string& file) const;
  // Takes up another present network of the run; what is wrong with it is told once.
  void FollowNetwork(SelfPlayRunner* runner);
  absl::Status Ingest();
  void ShowProgress(const SelfPlayStatistics& now, bool is_end);
  void Tell(const std::string& message) const;
  // Blocks for a moment, or until Ctrl-C. False: the end is wished.
  bool Pause();

  SelfPlayRunnerOptions options_;
  EvaluatorOptions evaluator_;
  RunSettings settings_;
  std::string run_;
  std::string network_;
  std::string config_;
  std::vector<std::string> changes_;
  std::string device_;     // empty: as the settings say
  std::string precision_;  // likewise
  int workers_ = 0;
  double report_every_ = 10;
  bool json_ = false;

  std::unique_ptr<SpoolStore> store_;
  std::unique_ptr<SpoolIngester> ingester_;  // null: another process ingests
  std::string playing_;                      // the file of the network
  std::string refused_;                      // one that could not be taken up
  SelfPlayStatistics shown_;

  Mutex mutex_;
  CondVar changed_;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace chuhe
