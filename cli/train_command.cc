#include "cli/train_command.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "train/replay_run.h"
#include "train/supervised_run.h"

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

void TrainCommand::Register(CLI::App& app) {
  LoopOptions& loop = settings_.loop;
  CLI::App* train =
      app.add_subcommand("train", "Train a network on files of games, or on those of self-play");
  train->add_option("--run", loop.folder, "Folder of the run; goes on where it stopped")
      ->required();
  CLI::Option* games = train->add_option(
      "--games", game_files_,
      "Files of games: .tsv or .pgn, also with .zst, or .games; the moves played are learnt");
  CLI::Option* records =
      train->add_option("--records", loop.replay.records_folder,
                        "Folder of self-play games, such as runs/OTHER/games/shards, to learn from "
                        "instead of those that come into the run");
  train->add_option("--net", loop.initial_network, "Network to begin with; else a fresh one");
  games->excludes(records);
  train->add_option("--config", config_, "YAML file of settings");
  train->add_option("--set", changes_, "One setting, such as train.size=tiny")
      ->allow_extra_args(false);
  train->add_flag("--json", json_, "Print one JSON object a line instead of text");
  train->footer(
      absl::StrCat("Without --games and --records the run's own games are followed as they come "
                   "in.\nExamples: chuhe train --run runs/first --games games.tsv.zst --set "
                   "train.size=small\n          chuhe train --run runs/big --records "
                   "runs/first/games/shards --set train.size=medium\nSettings:\n",
                   settings_.Help({"train."})));
}

absl::Status TrainCommand::Prepare() {
  // Where the end is known, the rate falls towards it unless something else is set.
  ReplayOptions& replay = settings_.loop.replay;
  if (!game_files_.empty() || !replay.records_folder.empty()) {
    replay.trainer.schedule = LearningRateSchedule::kCosine;
  }
  CHUHE_RETURN_IF_ERROR(settings_.Read(config_, changes_));
  return settings_.Write(settings_.loop.folder);
}

void TrainCommand::ShowJson(const RunProgress& progress) const {
  const StepReport& step = progress.step;
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
}

void TrainCommand::ShowProgress(const RunProgress& progress) const {
  if (json_) {
    ShowJson(progress);
    return;
  }
  const StepReport& step = progress.step;
  const int64_t steps = settings_.loop.replay.trainer.steps;
  const double left = static_cast<double>(steps - step.step) * settings_.loop.replay.batch_size /
                      progress.samples_per_s;
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

absl::Status TrainCommand::Train() {
  CHUHE_RETURN_IF_ERROR(Prepare());
  const RunProgressSink on_progress = [this](const RunProgress& progress) {
    ShowProgress(progress);
  };
  const MessageSink on_message = [this](const std::string& message) {
    (json_ ? std::cerr : std::cout) << message << std::endl;
  };
  const LoopOptions& loop = settings_.loop;
  const TrainingRunOptions& training = settings_.training;
  if (game_files_.empty()) {
    return RunReplay({.folder = loop.folder,
                      .size = loop.size,
                      .network_file = loop.initial_network,
                      .publish_every = training.publish_every,
                      .report_every = training.report_every,
                      .replay = loop.replay},
                     stop_requested, on_progress, on_message);
  }
  return RunSupervised({.folder = loop.folder,
                        .game_files = game_files_,
                        .size = loop.size,
                        .network_file = loop.initial_network,
                        .batch_size = loop.replay.batch_size,
                        .validation_one_in = loop.replay.real.validation_one_in,
                        .validation_positions = training.validation_positions,
                        .validate_every = training.validate_every,
                        .checkpoint_every = loop.replay.checkpoint_every,
                        .report_every = training.report_every,
                        .loader_threads = loop.replay.loader_threads,
                        .seed = loop.replay.seed,
                        .trainer = loop.replay.trainer},
                       stop_requested, on_progress, on_message);
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
