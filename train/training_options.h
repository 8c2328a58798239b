// The settings of training.
#pragma once

#include <cstdint>
#include <string>

namespace chuhe {

// The weight of each part of the loss in the sum, and what the value learns.
struct LossWeights {
  double policy = 1;
  double wdl = 1;
  double plies_left = 0.1;
  double reply = 0.15;
  double short_term = 0.5;
  double survival = 0.1;
  // Of the short-term value in the target of win, draw, loss; the rest is the game's outcome.
  double short_term_share = 0;
};

// How the learning rate goes on behind the warm-up.
enum class LearningRateSchedule {
  kCosine,    // falls to final_fraction at the last step: for runs whose length is known
  kConstant,  // stays: for runs without an end
  kSteps,     // is multiplied by drop_factor every drop_every steps
};

enum class TrainingPrecision {
  kAuto,  // bf16 on GPUs and processors that multiply it, fp32 on others
  kFp32,
  kBf16,  // products in bfloat16, weights and sums in floats
};

// docs/decisions.md says how they compare.
enum class OptimizerKind {
  kAdamW,
  kMuon,  // for hidden layers; AdamW for the rest
};

struct TrainerOptions {
  int64_t steps = 10000;  // of the whole run, for the cosine
  LearningRateSchedule schedule = LearningRateSchedule::kCosine;
  // The highest; AdamW alone wants a smaller one, such as 0.005. 0 freezes the network: steps are
  // made and reported, and change nothing.
  double learning_rate = 2e-2;
  int64_t warmup_steps = 100;    // rises in a line from 0
  double final_fraction = 0.02;  // of the highest rate, at the end of the cosine
  int64_t drop_every = 100000;   // steps, counted from the first
  double drop_factor = 0.3;
  OptimizerKind optimizer = OptimizerKind::kMuon;
  // Apart from the gradient (Loshchilov and Hutter 2019); not on biases and norms.
  double weight_decay = 0.01;
  double clip_norm = 3;          // of the gradient
  double average_decay = 0.999;  // of the weights' running average, which is what is exported
  LossWeights losses;
  std::string device = "cpu";
  TrainingPrecision precision = TrainingPrecision::kAuto;
  int threads = 1;
  // Of the numbers that a new network, and the training heads of an old one, start with.
  uint64_t network_seed = 0;
};

// Rate of a step, the first being 0.
double LearningRateAt(const TrainerOptions& options, int64_t step);

}  // namespace chuhe
