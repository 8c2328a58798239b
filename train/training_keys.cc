#include "train/training_keys.h"

#include <cstdint>

namespace chuhe {
namespace {

constexpr int64_t kMost = int64_t{1} << 40;

void AddLossWeights(OptionTable* table, LossWeights* weights) {
  constexpr double kHighest = 1000;
  table->AddDouble("train.loss_policy", &weights->policy, 0, kHighest, "weight of this loss");
  table->AddDouble("train.loss_wdl", &weights->wdl, 0, kHighest, "weight of this loss");
  table->AddDouble("train.loss_plies_left", &weights->plies_left, 0, kHighest,
                   "weight of this loss");
  table->AddDouble("train.loss_reply", &weights->reply, 0, kHighest, "weight of this loss");
  table->AddDouble("train.loss_short_term", &weights->short_term, 0, kHighest,
                   "weight of this loss");
  table->AddDouble("train.loss_survival", &weights->survival, 0, kHighest, "weight of this loss");
  table->AddDouble("train.short_term_share", &weights->short_term_share, 0, 1,
                   "of what searches thought in the next plies in the target of win, draw, loss; "
                   "the rest is the outcome");
}

}  // namespace

void AddTrainerOptions(OptionTable* table, TrainerOptions* options) {
  table->AddInt("train.steps", &options->steps, int64_t{1}, kMost, "steps of the whole run");
  table->AddChoice<LearningRateSchedule>(
      "train.schedule", &options->schedule,
      {{"cosine", LearningRateSchedule::kCosine},
       {"constant", LearningRateSchedule::kConstant},
       {"steps", LearningRateSchedule::kSteps}},
      "how the learning rate goes on behind the warm-up; unless it is set, "
      "train uses cosine where its games are all there");
  table->AddDouble("train.learning_rate", &options->learning_rate, 0, 1,
                   "the highest one (for adamw 0.005 or so); 0 freezes the network");
  table->AddInt("train.warmup_steps", &options->warmup_steps, int64_t{0}, kMost,
                "over which the rate rises");
  table->AddDouble("train.final_fraction", &options->final_fraction, 0, 1,
                   "of the highest rate, at the last step (schedule cosine)");
  table->AddInt("train.drop_every", &options->drop_every, int64_t{1}, kMost,
                "steps between drops of the rate (schedule steps)");
  table->AddDouble("train.drop_factor", &options->drop_factor, 0, 1,
                   "by which the rate drops (schedule steps)");
  table->AddChoice<OptimizerKind>(
      "train.optimizer", &options->optimizer,
      {{"adamw", OptimizerKind::kAdamW}, {"muon", OptimizerKind::kMuon}},
      "muon: for the hidden layers, and AdamW for the rest");
  table->AddDouble("train.weight_decay", &options->weight_decay, 0, 10,
                   "by which weights shrink in a step, times the learning rate");
  table->AddDouble("train.clip_norm", &options->clip_norm, 0, 1e6, "bound of the gradient's norm");
  table->AddDouble("train.average_decay", &options->average_decay, 0, 1,
                   "of the weights' running average");
  AddLossWeights(table, &options->losses);
  table->AddString("train.device", &options->device, "where the network trains: cpu, cuda:0");
  table->AddChoice<TrainingPrecision>("train.precision", &options->precision,
                                      {{"auto", TrainingPrecision::kAuto},
                                       {"fp32", TrainingPrecision::kFp32},
                                       {"bf16", TrainingPrecision::kBf16}},
                                      "of products in training; auto: bf16 on GPUs and on "
                                      "processors that multiply it, fp32 on others");
  table->AddInt("train.threads", &options->threads, 1, 1024, "threads of the CPU to train with");
}

void AddReplayOptions(OptionTable* table, ReplayOptions* options) {
  table->AddInt("train.batch_size", &options->batch_size, 1, 65536, "samples a step");
  table->AddDouble("train.samples_per_position", &options->samples_per_position, 1e-6, 1e6,
                   "samples that a new position of self-play pays for");
  table->AddInt("train.min_positions", &options->min_positions, int64_t{1}, kMost,
                "positions of self-play before the first step; the window grows from there");
  table->AddDouble("train.window_exponent", &options->window_exponent, 0, 1,
                   "the window grows as the positions of self-play to the power of this");
  table->AddInt("train.checkpoint_every", &options->checkpoint_every, int64_t{1}, kMost,
                "steps at most without a checkpoint");
  table->AddInt("train.loader_threads", &options->loader_threads, 1, 256,
                "threads that make batches ahead of the trainer");
  table->AddString("train.real_games", &options->real.file,
                   "file of games of people, to learn from beside those of self-play; empty: none");
  table->AddDouble("train.real_share", &options->real.share, 0, 0.95,
                   "of each batch that is drawn from them: moves as played, and results");
  table->AddInt("train.validation_one_in", &options->real.validation_one_in, 2, 1000000,
                "one game of a file in so many is held out");
}

}  // namespace chuhe
