// Plays games against itself on several threads, for as long as it is told to: the self-play of
// one process.
//
//   store ◄── finished games ── workers (one thread each, many games) ── evaluator of each
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/eval/evaluator.h"
#include "selfplay/play/self_play_options.h"
#include "selfplay/play/self_play_statistics.h"
#include "selfplay/store/game_store.h"

namespace chuhe {

// A network to play with. Self-play knows its name and how to get evaluators of it.
struct PlayingNetwork {
  std::string sha256;
  // An evaluator for one thread. May be called from several threads at a time.
  std::function<absl::StatusOr<std::unique_ptr<Evaluator>>()> open;
};

struct SelfPlayRunnerOptions {
  SelfPlayOptions play;
  int workers = 1;             // threads, each with an evaluator of its own
  std::string journal_folder;  // of the games under way; empty: they are lost with the process
  // Shards of the run's games so far, from which the audit of resignations goes on; empty: none.
  std::string earlier_games;
  std::string worker_name;  // in the records
  uint64_t seed = 1;
  int64_t max_games = 0;  // start no more than so many; 0: no end
  // Seconds since 1970, for the records; empty: the system's clock.
  std::function<int64_t()> clock;
};

// Thread-safe.
class SelfPlayRunner {
 public:
  // Takes up the games of the journal, and starts others. The store must outlive the runner. Errors
  // name what could not be read or opened.
  static absl::StatusOr<std::unique_ptr<SelfPlayRunner>> Start(const SelfPlayRunnerOptions& options,
                                                               PlayingNetwork network,
                                                               GameStore* store);
  virtual ~SelfPlayRunner() = default;

  // Goes on with another network, from each game's next move. Games under way are not lost. An
  // error if the network cannot be opened; then the old one stays.
  virtual absl::Status SetNetwork(PlayingNetwork network) = 0;
  // From now on only the first `count` workers work, all of them if there are no more; the others
  // wait, with their games. Blocks until those that shall wait do so, at most for a batch.
  virtual void SetActiveWorkers(int count) = 0;
  virtual SelfPlayStatistics statistics() const = 0;
  // The first error that ended a worker; ok while all is well.
  virtual absl::Status status() const = 0;
  // Whether max_games have been started, and all games are finished and in the store.
  virtual bool is_finished() const = 0;
  // Ends the work, with the games under way in the journal. Blocks; returns status().
  virtual absl::Status Stop() = 0;
};

}  // namespace chuhe
