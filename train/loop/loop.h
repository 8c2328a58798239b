// The main job: a network plays against itself, another learns from the games and takes over, again
// and again; each one's strength is measured.
//
//   self-play ──► games ──► window ──► steps ──► network of the next generation ──► ladder
//       ▲                                                │
//       └────────────────────────────────────────────────┘
//
// Everything is in the run folder, so that a loop that was ended or killed at any time goes on when
// it is run again.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/eval/evaluator.h"
#include "nets/weights/network_weights.h"
#include "selfplay/match/builtin_players.h"
#include "train/loop/history.h"
#include "train/loop/ladder.h"
#include "train/loop/loop_options.h"

namespace chuhe {

// What the loop needs and does not know how to make. Both may be called from several threads.
struct LoopTools {
  // An evaluator for one thread.
  std::function<absl::StatusOr<std::unique_ptr<Evaluator>>(const NetworkWeights&)> open_evaluator;
  BuiltinFactory ladder_players;  // `net:FILE:VISITS`
};

struct LoopProgress {
  int generation = 0;  // that is being made
  int generations = 0;
  int64_t step = 0;
  int64_t steps = 0;  // of the whole run
  uint64_t games = 0;
  double positions_per_s = 0;  // since the last report
  double samples_per_s = 0;    // likewise
  double seconds_left = 0;     // of the whole run; below 0: not known yet
};

struct LoopSink {
  std::function<void(const std::string&)> on_message;
  std::function<void(const LoopProgress&)> on_progress;  // every few seconds
  // After each ladder: all generations so far, and the ratings of all who played.
  std::function<void(const std::vector<Generation>&, const std::vector<LadderRating>&)>
      on_generation;
};

// Runs until all generations are made, or until `stop` is set; then ends in good order. Blocks.
absl::Status RunLoop(const LoopOptions& options, const LoopTools& tools,
                     const std::atomic<bool>& stop, const LoopSink& sink);

}  // namespace chuhe
