#include "cli/train_command.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/config_file.h"
#include "engine/base/status_macros.h"
#include "nets/weights/stored_file.h"
#include "nlohmann/json.hpp"

namespace chuhe {
namespace {

// Set by Ctrl-C and SIGTERM; a handler can reach nothing else.
std::atomic<bool> stop_requested = false;

void RequestStop(int /*signal*/) { stop_requested = true; }

std::string TimeText(double seconds) {
  const auto minutes = static_cast<int64_t>(seconds / 60);
  return absl::StrFormat("%d:%02d:%02d", minutes / 60, minutes % 60,
                         static_cast<int64_t>(seconds) % 60);
}

}  // namespace

TrainCommand::TrainCommand() {
  TrainerOptions& trainer = options_.trainer;
  table_.AddString("train.size", &options_.size, "size of a new network: tiny … xl, or 6x64");
  table_.AddInt("train.batch_size", &options_.batch_size, 1, 65536, "samples a step");
  table_.AddInt("train.steps", &trainer.steps, int64_t{1}, int64_t{1} << 40,
                "steps of the whole run");
  table_.AddInt("train.seed", &seed_, int64_t{0}, int64_t{1} << 62, "of all chance in the run");
  table_.AddDouble("train.learning_rate", &trainer.learning_rate, 0, 1, "the highest one");
  table_.AddInt("train.warmup_steps", &trainer.warmup_steps, int64_t{0}, int64_t{1} << 40,
                "over which the rate rises");
  table_.AddDouble("train.final_fraction", &trainer.final_fraction, 0, 1,
                   "of the highest rate, at the last step");
  table_.AddDouble("train.weight_decay", &trainer.weight_decay, 0, 10, "of AdamW");
  table_.AddDouble("train.clip_norm", &trainer.clip_norm, 0, 1e6, "bound of the gradient's norm");
  table_.AddDouble("train.average_decay", &trainer.average_decay, 0, 1,
                   "of the weights' running average");
  table_.AddDouble("train.loss_policy", &trainer.losses.policy, 0, 1000, "weight of this loss");
  table_.AddDouble("train.loss_wdl", &trainer.losses.wdl, 0, 1000, "weight of this loss");
  table_.AddDouble("train.loss_plies_left", &trainer.losses.plies_left, 0, 1000,
                   "weight of this loss");
  table_.AddDouble("train.loss_reply", &trainer.losses.reply, 0, 1000, "weight of this loss");
  table_.AddDouble("train.loss_short_term", &trainer.losses.short_term, 0, 1000,
                   "weight of this loss");
  table_.AddDouble("train.loss_survival", &trainer.losses.survival, 0, 1000, "weight of this loss");
  table_.AddString("train.device", &trainer.device, "where the network trains: cpu, cuda:0");
  table_.AddInt("train.threads", &trainer.threads, 1, 1024, "threads of the CPU to train with");
  table_.AddInt("train.validation_one_in", &options_.validation_one_in, 2, 1000000,
                "one game in so many is held out");
  table_.AddInt("train.validation_positions", &options_.validation_positions, 1, 10000000,
                "positions to validate on");
  table_.AddInt("train.validate_every", &options_.validate_every, int64_t{1}, int64_t{1} << 40,
                "steps");
  table_.AddInt("train.checkpoint_every", &options_.checkpoint_every, int64_t{1}, int64_t{1} << 40,
                "steps");
}

void TrainCommand::Register(CLI::App& app) {
  CLI::App* train = app.add_subcommand("train", "Train a network on files of games");
  train->add_option("--run", options_.folder, "Folder of the run; goes on where it stopped")
      ->required();
  train->add_option("--games", options_.game_files, "Files of games: .tsv or .tsv.zst")->required();
  train->add_option("--config", config_, "YAML file of settings");
  train->add_option("--set", settings_, "One setting, such as train.size=tiny")
      ->allow_extra_args(false);
  train->add_flag("--json", json_, "Print one JSON object a line instead of text");
  train->footer(
      absl::StrCat("Example: chuhe train --run runs/first --games games.tsv.zst --set "
                   "train.size=small\nSettings:\n",
                   table_.Help()));
}

absl::Status TrainCommand::Prepare() {
  if (!config_.empty()) CHUHE_RETURN_IF_ERROR(ReadConfigFile(config_, &table_));
  CHUHE_RETURN_IF_ERROR(ApplySettings(settings_, &table_));
  options_.seed = static_cast<uint64_t>(seed_);
  options_.trainer.network_seed = options_.seed;
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot create ", options_.folder, ": ", error.message()));
  }
  return WriteStoredFile(options_.folder + "/config.yaml", FormatConfig(table_));
}

void TrainCommand::ShowProgress(const RunProgress& progress) const {
  const StepReport& step = progress.step;
  if (json_) {
    nlohmann::ordered_json line = {{"step", step.step},
                                   {"total", step.total},
                                   {"policy", step.policy},
                                   {"wdl", step.wdl},
                                   {"plies_left", step.plies_left},
                                   {"reply", step.reply},
                                   {"survival", step.survival},
                                   {"gradient_norm", step.gradient_norm},
                                   {"learning_rate", step.learning_rate},
                                   {"samples_per_s", progress.samples_per_s}};
    if (progress.is_validated) {
      line["validation"] = {
          {"policy", progress.validation.policy}, {"top1", progress.validation.top1},
          {"wdl", progress.validation.wdl},       {"unseen_policy", progress.unseen.policy},
          {"unseen_top1", progress.unseen.top1},  {"unseen_positions", progress.unseen.positions}};
    }
    std::cout << line.dump() << std::endl;
    return;
  }
  const double left = static_cast<double>(options_.trainer.steps - step.step) *
                      options_.batch_size / progress.samples_per_s;
  std::cout << absl::StrFormat(
                   "step %d/%d  loss %.3f  policy %.3f  wdl %.3f  %.0f samples/s  %s left",
                   step.step, options_.trainer.steps, step.total, step.policy, step.wdl,
                   progress.samples_per_s, TimeText(left))
            << std::endl;
  if (progress.is_validated) {
    std::cout << absl::StrFormat(
                     "  validation: policy %.3f  top-1 %.1f %%  wdl %.3f; positions not seen in "
                     "training (%d of %d): top-1 %.1f %%",
                     progress.validation.policy, 100 * progress.validation.top1,
                     progress.validation.wdl, progress.unseen.positions,
                     progress.validation.positions, 100 * progress.unseen.top1)
              << std::endl;
  }
}

int TrainCommand::Run() {
  std::signal(SIGINT, RequestStop);
  std::signal(SIGTERM, RequestStop);
  absl::Status status = Prepare();
  if (status.ok()) {
    status = RunSupervised(
        options_, stop_requested, [this](const RunProgress& progress) { ShowProgress(progress); },
        [this](const std::string& message) {
          (json_ ? std::cerr : std::cout) << message << std::endl;
        });
  }
  if (!status.ok()) {
    std::cerr << "chuhe train: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
