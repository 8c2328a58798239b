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
#include "train/training_keys.h"

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
  // A run of this command has an end, that of self-play beside it need not have one.
  replay_.replay.trainer.schedule = LearningRateSchedule::kCosine;
  constexpr int64_t kMost = int64_t{1} << 40;
  table_.AddString("train.size", &replay_.size, "size of a new network: tiny … xl, or 6x64");
  table_.AddInt("train.seed", &seed_, int64_t{0}, int64_t{1} << 62, "of all chance in the run");
  AddTrainerOptions(&table_, &replay_.replay.trainer);
  AddReplayOptions(&table_, &replay_.replay);
  table_.AddInt("train.publish_every", &replay_.publish_every, int64_t{1}, kMost,
                "steps between networks (self-play)");
  table_.AddInt("train.report_every", &replay_.report_every, int64_t{1}, kMost,
                "steps between lines of progress");
  table_.AddInt("train.validation_one_in", &supervised_.validation_one_in, 2, 1000000,
                "one game in so many is held out (files of games)");
  table_.AddInt("train.validation_positions", &supervised_.validation_positions, 1, 10000000,
                "positions to validate on (files of games)");
  table_.AddInt("train.validate_every", &supervised_.validate_every, int64_t{1}, kMost,
                "steps (files of games)");
}

void TrainCommand::Register(CLI::App& app) {
  CLI::App* train =
      app.add_subcommand("train", "Train a network on files of games, or on those of self-play");
  train->add_option("--run", replay_.folder, "Folder of the run; goes on where it stopped")
      ->required();
  CLI::Option* games = train->add_option(
      "--games", supervised_.game_files,
      "Files of games: .tsv or .pgn, also with .zst, or .games; the moves played are learnt");
  CLI::Option* records =
      train->add_option("--records", replay_.replay.records_folder,
                        "Folder of self-play games, such as runs/OTHER/games/shards, to learn from "
                        "instead of those that come into the run");
  CLI::Option* net = train->add_option("--net", replay_.network_file,
                                       "Network to start from instead of a new one (self-play)");
  games->excludes(records)->excludes(net);
  train->add_option("--config", config_, "YAML file of settings");
  train->add_option("--set", settings_, "One setting, such as train.size=tiny")
      ->allow_extra_args(false);
  train->add_flag("--json", json_, "Print one JSON object a line instead of text");
  train->footer(
      absl::StrCat("Without --games and --records the run's own games are followed as they come "
                   "in.\nExamples: chuhe train --run runs/first --games games.tsv.zst --set "
                   "train.size=small\n          chuhe train --run runs/big --records "
                   "runs/first/games/shards --set train.size=medium\nSettings:\n",
                   table_.Help()));
}

absl::Status TrainCommand::Prepare() {
  if (!config_.empty()) CHUHE_RETURN_IF_ERROR(ReadConfigFile(config_, &table_));
  CHUHE_RETURN_IF_ERROR(ApplySettings(settings_, &table_));
  ReplayOptions& replay = replay_.replay;
  replay.seed = static_cast<uint64_t>(seed_);
  replay.trainer.network_seed = replay.seed;
  supervised_.folder = replay_.folder;
  supervised_.size = replay_.size;
  supervised_.batch_size = replay.batch_size;
  supervised_.checkpoint_every = replay.checkpoint_every;
  supervised_.report_every = replay_.report_every;
  supervised_.loader_threads = replay.loader_threads;
  supervised_.seed = replay.seed;
  supervised_.trainer = replay.trainer;
  std::error_code error;
  std::filesystem::create_directories(replay_.folder, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot create ", replay_.folder, ": ", error.message()));
  }
  return WriteStoredFile(replay_.folder + "/config.yaml", FormatConfig(table_));
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
    if (progress.window.has_value()) {
      line["short_term"] = step.short_term;
      line["target_entropy"] = step.target_entropy;
      line["window"] = {{"first_game", progress.window->first_game},
                        {"end_game", progress.window->end_game},
                        {"positions", progress.window->positions},
                        {"total_positions", progress.window->total_positions}};
    }
    std::cout << line.dump() << std::endl;
    return;
  }
  const int64_t steps = replay_.replay.trainer.steps;
  const double left =
      static_cast<double>(steps - step.step) * replay_.replay.batch_size / progress.samples_per_s;
  std::cout << absl::StrFormat(
                   "step %d/%d  loss %.3f  policy %.3f  wdl %.3f  %.0f samples/s  %s left",
                   step.step, steps, step.total, step.policy, step.wdl, progress.samples_per_s,
                   TimeText(left))
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

void TrainCommand::ShowMessage(const std::string& message) const {
  (json_ ? std::cerr : std::cout) << message << std::endl;
}

absl::Status TrainCommand::Train() {
  CHUHE_RETURN_IF_ERROR(Prepare());
  const RunProgressSink on_progress = [this](const RunProgress& progress) {
    ShowProgress(progress);
  };
  const MessageSink on_message = [this](const std::string& message) { ShowMessage(message); };
  return is_supervised() ? RunSupervised(supervised_, stop_requested, on_progress, on_message)
                         : RunReplay(replay_, stop_requested, on_progress, on_message);
}

int TrainCommand::Run() {
  std::signal(SIGINT, RequestStop);
  std::signal(SIGTERM, RequestStop);
  if (const absl::Status status = Train(); !status.ok()) {
    std::cerr << "chuhe train: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
