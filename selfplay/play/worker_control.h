// What a runner tells its workers, and they it: stop, pause, another network, what was done, what
// went wrong.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/mutex.h"
#include "engine/eval/evaluator.h"
#include "selfplay/play/self_play_statistics.h"

namespace chuhe {

// An evaluator of the network with this name.
struct NetworkEvaluator {
  std::string sha256;
  std::unique_ptr<Evaluator> evaluator;
};

// Thread-safe.
class WorkerControl {
 public:
  explicit WorkerControl(int workers);

  // The runner's side.
  void Stop();
  // See SelfPlayRunner::SetActiveWorkers().
  void SetActive(int count);
  // One for each worker.
  void GiveNetworks(std::vector<NetworkEvaluator> networks);
  SelfPlayStatistics statistics() const;
  absl::Status status() const;
  bool all_have_ended() const;

  // A worker's side. Between two batches; false: it shall end. Blocks while it shall wait.
  bool MayGoOn(int worker);
  // Another network to go on with, if there is one.
  std::optional<NetworkEvaluator> TakeNetwork(int worker);
  void Add(const SelfPlayStatistics& counts);
  // The first error stops all workers.
  void Fail(const absl::Status& status);
  void HasEnded(int worker);

 private:
  enum class State : uint8_t { kWorking, kWaiting, kEnded };

  // Whether none works of those that shall wait.
  bool OthersWait() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  CondVar changed_;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  int active_ ABSL_GUARDED_BY(mutex_);
  std::vector<State> states_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::optional<NetworkEvaluator>> networks_ ABSL_GUARDED_BY(mutex_);
  SelfPlayStatistics statistics_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace chuhe
