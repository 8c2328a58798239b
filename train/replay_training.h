// Training on the games of self-play as they come in: a window over the newest games, and as many
// steps as the games have paid for.
//
// Every new position with a policy pays for `samples_per_position` samples. Steps are made in
// chunks over a window that stays as it is; its bounds are on disk before the first step of the
// chunk, so that a killed chunk is made again with the same batches.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nets/weights/network_weights.h"
#include "train/real_games.h"
#include "train/replay_chunk.h"
#include "train/replay_source.h"
#include "train/replay_window.h"
#include "train/run_folder.h"
#include "train/supervised_source.h"
#include "train/token_bucket.h"
#include "train/trainer.h"
#include "train/training_options.h"

namespace chuhe {

struct ReplayOptions {
  int batch_size = 256;
  double samples_per_position = 4;
  // No step before so many positions with a policy are there.
  int64_t min_positions = 10000;
  // The window holds the newest W(N) positions of the N there are: all of them up to
  // min_positions, then growing as N to the power of this (much as in Wu 2019, appendix C).
  double window_exponent = 0.75;
  int64_t checkpoint_every = 500;  // steps; also the longest chunk
  int loader_threads = 1;
  uint64_t seed = 1;
  // A run of self-play has no end to fall to.
  TrainerOptions trainer{.schedule = LearningRateSchedule::kConstant};
  // A folder of shards to learn from instead of the run's own.
  std::string records_folder;
  RealGamesOptions real;
};

// What the present window holds, for reports and diagnosis.
struct WindowReport {
  uint64_t first_game = 0;
  uint64_t end_game = 0;        // behind the last one
  int64_t positions = 0;        // with a policy
  int64_t total_positions = 0;  // of all games there have been
  RecentGames recent;           // games of any kind, read since the start of the process
  // Games that could not be read: they are left out.
  int64_t unreadable_games = 0;
  std::string first_problem;
};

// Owned by one thread.
class ReplayTraining {
 public:
  // Goes on from the run's checkpoint where there is one, else from the network. Reads the shards
  // of the run's games, which takes as long as reading all of them the first time, and as reading
  // those of the window later; and the real games, of which it tells. Errors name the file.
  static absl::StatusOr<std::unique_ptr<ReplayTraining>> Open(
      const RunFolder& folder, const NetworkWeights& network, const ReplayOptions& options,
      const std::function<void(const std::string&)>& on_message);

  // Looks for games that were added.
  absl::Status Refresh();
  // Steps that are paid for and not made yet.
  int64_t steps_due() const;
  int64_t steps_done() const { return trainer_->steps_done(); }
  WindowReport window() const;
  // Of the CPU, for the steps to come.
  void SetThreads(int threads) { trainer_->SetThreads(threads); }

  // Makes steps until `step` are done in all, no more than are due, in chunks with a checkpoint
  // behind each; fewer when `stop` is set (then too with a checkpoint). on_step may be empty. An
  // error, such as a loss that is no number, leaves the checkpoint before it.
  absl::Status Train(int64_t step, const std::atomic<bool>& stop,
                     const std::function<void(const StepReport&)>& on_step);
  // Calibrates on positions of the window and makes the averaged network the run's present one.
  // Returns its SHA-256. An error if there are no positions yet.
  absl::StatusOr<std::string> Publish();

 private:
  ReplayTraining(const RunFolder& folder, const ReplayOptions& options, NetworkOrigin origin,
                 std::unique_ptr<Trainer> trainer, ReplayWindow window,
                 std::unique_ptr<SupervisedSource> real_games);
  // Of each batch: those of real games, and those of self-play, which its games pay for.
  int real_samples() const;
  int paid_samples() const { return options_.batch_size - real_samples(); }
  // Steps of the chunk that were not made, as after a kill.
  int64_t steps_left_of_chunk() const;
  absl::Status Resume();
  absl::Status BeginChunk(int64_t steps);
  absl::Status TrainChunk(int64_t end_step, const std::atomic<bool>& stop,
                          const std::function<void(const StepReport&)>& on_step);

  RunFolder folder_;
  ReplayOptions options_;
  NetworkOrigin origin_;
  std::unique_ptr<Trainer> trainer_;
  ReplayWindow window_;
  std::unique_ptr<SupervisedSource> real_games_;  // null: none
  TokenBucket bucket_;
  ReplayChunk chunk_;                     // the last one that was begun
  std::unique_ptr<ReplaySource> source_;  // its games; null before the first chunk
};

}  // namespace chuhe
