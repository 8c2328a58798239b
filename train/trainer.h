// Trains a network, one batch a step. LibTorch's types stay inside, so that who trains compiles
// quickly.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nets/weights/network_weights.h"
#include "train/batch.h"
#include "train/training_options.h"

namespace chuhe {

struct StepReport {
  int64_t step = 0;  // that has been made, the first being 1
  double learning_rate = 0;
  double gradient_norm = 0;  // before it was clipped
  // Of the parts; NaN where there is no such head.
  double policy = 0;
  double wdl = 0;
  double plies_left = 0;
  double reply = 0;
  double short_term = 0;
  double survival = 0;
  double total = 0;
  // Of the policy targets, in nats: what the policy's loss cannot go below.
  double target_entropy = 0;
};

struct ValidationReport {
  double policy = 0;  // cross entropy in nats
  double top1 = 0;    // share of positions whose highest prior is the target's highest
  double wdl = 0;
  int64_t positions = 0;
};

// Owned by one thread. Errors of LibTorch come back as Status.
class Trainer {
 public:
  ~Trainer();

  // A new network.
  static absl::StatusOr<std::unique_ptr<Trainer>> Create(const Architecture& architecture,
                                                         const TrainerOptions& options);
  // Goes on from a network that exists; the training heads are new.
  static absl::StatusOr<std::unique_ptr<Trainer>> FromNetwork(const NetworkWeights& weights,
                                                              const TrainerOptions& options);

  // With an error, such as a loss that is no number, the step is not made. At learning rate 0 it
  // counts and changes nothing.
  absl::StatusOr<StepReport> Step(const Batch& batch);

  // Of the CPU, for the steps to come.
  void SetThreads(int threads);

  // How well the averaged network does on batches that it does not learn from.
  absl::StatusOr<ValidationReport> Validate(const std::vector<Batch>& batches);

  // The averaged network, without calibration.
  absl::StatusOr<NetworkWeights> Export(const NetworkOrigin& origin) const;

  // Everything that a later Step() depends on; written aside and renamed.
  absl::Status SaveCheckpoint(const std::string& path) const;
  // Into a trainer of the same shape and options; a failure leaves it as it was.
  absl::Status LoadCheckpoint(const std::string& path);

  int64_t steps_done() const { return steps_done_; }
  const TrainerOptions& options() const { return options_; }
  const Architecture& architecture() const { return architecture_; }

 private:
  struct Parts;  // networks and optimizer

  Trainer(const Architecture& architecture, std::unique_ptr<Parts> parts,
          const TrainerOptions& options);
  StepReport TakeStep(const Batch& batch);

  Architecture architecture_;
  TrainerOptions options_;
  std::unique_ptr<Parts> parts_;
  int64_t steps_done_ = 0;
};

}  // namespace chuhe
