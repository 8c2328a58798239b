// The keys of the training settings, declared once for all commands that train.
#pragma once

#include "engine/base/options.h"
#include "train/replay_training.h"
#include "train/training_options.h"

namespace chuhe {

// train.steps, train.schedule, train.learning_rate and the others of the steps themselves. Defaults
// are what the struct holds.
void AddTrainerOptions(OptionTable* table, TrainerOptions* options);

// train.batch_size, train.samples_per_position and the others of training on self-play. Not those
// of options->trainer, which AddTrainerOptions() adds, and neither seed nor records folder, which
// are the command's.
void AddReplayOptions(OptionTable* table, ReplayOptions* options);

}  // namespace chuhe
