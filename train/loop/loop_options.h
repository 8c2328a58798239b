// The settings of a training loop.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/options.h"
#include "selfplay/play/self_play_options.h"
#include "train/loop/ladder.h"
#include "train/replay_training.h"

namespace chuhe {

struct LoopOptions {
  std::string folder;           // runs/NAME
  std::string initial_network;  // path of the one to begin with; empty: a fresh one
  std::string size = "small";   // of a fresh one
  int generations = 20;
  int64_t steps_per_generation = 1000;
  // Of the machine; 0: all that the process may use.
  int cores = 0;
  // Threads that play. 0: as many as cores.
  int workers = 0;
  int64_t seed = 1;
  LadderOptions ladder;
  ReplayOptions replay;
  SelfPlayOptions play;
};

// loop.*, ladder.*, train.* and selfplay.*. Defaults are what the struct holds. The folder and the
// initial network are the command's.
void AddLoopOptions(OptionTable* table, LoopOptions* options);

}  // namespace chuhe
