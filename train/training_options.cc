#include "train/training_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace chuhe {

double LearningRateAt(const TrainerOptions& options, int64_t step) {
  if (step < options.warmup_steps) {
    return options.learning_rate * static_cast<double>(step + 1) /
           static_cast<double>(options.warmup_steps);
  }
  if (options.schedule == LearningRateSchedule::kConstant) return options.learning_rate;
  if (options.schedule == LearningRateSchedule::kSteps) {
    const auto drops = static_cast<double>(step / options.drop_every);
    return options.learning_rate * std::pow(options.drop_factor, drops);
  }
  const double span =
      static_cast<double>(std::max<int64_t>(options.steps - options.warmup_steps, 1));
  const double done = std::min(1.0, static_cast<double>(step - options.warmup_steps) / span);
  const double cosine = (1 + std::cos(std::numbers::pi * done)) / 2;
  return options.learning_rate * (options.final_fraction + (1 - options.final_fraction) * cosine);
}

}  // namespace chuhe
