#include "train/loop/loop_options.h"

#include "train/training_keys.h"

namespace chuhe {

void AddLoopOptions(OptionTable* table, LoopOptions* options) {
  constexpr int64_t kMost = int64_t{1} << 40;
  table->AddInt("loop.generations", &options->generations, 1, 1000000,
                "networks to make, beside the one to begin with");
  table->AddInt("loop.steps_per_generation", &options->steps_per_generation, int64_t{1}, kMost,
                "training steps from one network to the next");
  table->AddString("train.size", &options->size, "size of a fresh network: tiny … xl, or 6x64");
  table->AddInt("loop.cores", &options->cores, 0, 4096,
                "cores to use; 0: all that the process may use");
  table->AddInt("loop.workers", &options->workers, 0, 4096,
                "threads that play games; 0: one for each core");
  table->AddInt("train.seed", &options->seed, int64_t{0}, int64_t{1} << 62,
                "of all chance in the run");
  LadderOptions& ladder = options->ladder;
  table->AddInt("ladder.games", &ladder.games, 2, 1000000,
                "games of each network against each opponent");
  table->AddInt("ladder.visits", &ladder.visits, 1, 1000000, "a move, of networks");
  table->AddInt("ladder.ply_cap", &ladder.ply_cap, 1, 100000, "plies until a game is drawn");
  table->AddInt("ladder.earlier", &ladder.earlier, 0, 16,
                "networks before, 1, 2, 4 … generations back, to play against");
  AddReplayOptions(table, &options->replay);
  AddTrainerOptions(table, &options->replay.trainer);
  AddSelfPlayOptions(table, &options->play);
}

}  // namespace chuhe
