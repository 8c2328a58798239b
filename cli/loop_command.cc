#include "cli/loop_command.h"

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/interrupt.h"
#include "cli/match_networks.h"
#include "cli/network_evaluator.h"
#include "engine/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "train/present_network.h"

namespace chuhe {
namespace {

std::string TimeText(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return absl::StrFormat("%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
}

// Points and games of a network against the player, as `17.5/20`; `-` if they did not meet.
std::string PointsText(const Generation& generation, const std::string& opponent) {
  const std::string name = GenerationName(generation.number);
  double points = 0;
  int games = 0;
  for (const LadderResult& result : generation.ladder) {
    const bool is_red = result.red == name && result.black == opponent;
    if (!is_red && !(result.black == name && result.red == opponent)) continue;
    points += (is_red ? result.red_wins : result.black_wins) + 0.5 * result.draws;
    games += result.red_wins + result.draws + result.black_wins;
  }
  return games == 0 ? "-" : absl::StrFormat("%g/%d", points, games);
}

std::string EloText(const std::vector<LadderRating>& ratings, int generation) {
  for (const LadderRating& rating : ratings) {
    if (rating.player != GenerationName(generation)) continue;
    return absl::StrFormat("%.0f +- %.0f", rating.rating.elo, rating.rating.error);
  }
  return "-";
}

void PrintHead() {
  std::cout << absl::StrFormat("%4s  %14s  %8s  %8s  %10s  %11s  %6s  %6s", "gen", "Elo", "steps",
                               "games", "positions", "evaluations", "plies", "draws");
  for (const std::string& anchor : LadderAnchors()) std::cout << absl::StrFormat("  %11s", anchor);
  std::cout << "  time\n";
}

// `evaluations` are those of all games so far.
void PrintRow(const Generation& generation, int64_t evaluations,
              const std::vector<LadderRating>& ratings) {
  const GamesSummary& play = generation.play;
  std::cout << absl::StrFormat(
      "%4d  %14s  %8d  %8d  %10d  %9.2f M  %6s  %6s", generation.number,
      EloText(ratings, generation.number), generation.steps, generation.games, generation.positions,
      static_cast<double>(evaluations) / 1e6,
      play.games == 0 ? "-" : absl::StrFormat("%.0f", play.mean_plies),
      play.games == 0 ? "-"
                      : absl::StrFormat("%.0f %%", 100 * static_cast<double>(play.draws) /
                                                       static_cast<double>(play.games)));
  for (const std::string& anchor : LadderAnchors()) {
    std::cout << absl::StrFormat("  %11s", PointsText(generation, anchor));
  }
  std::cout << "  " << TimeText(generation.seconds) << std::endl;
}

}  // namespace

void LoopCommand::Register(CLI::App& app) {
  CLI::App* loop = app.add_subcommand(
      "loop", "Play, learn and measure, generation after generation, on this machine");
  loop->add_option("--run", settings_.loop.folder, "Folder of the run; goes on where it stopped");
  loop->add_option("--net", settings_.loop.initial_network,
                   "Network to begin with; else a fresh one");
  loop->add_option("--config", config_, "YAML file of settings");
  loop->add_option("--set", changes_, "One setting, such as loop.generations=5")
      ->allow_extra_args(false);
  loop->add_flag("--json", json_, "Print one JSON object a line instead of text");
  loop->add_flag("--document", document_, "No run: print every setting with its default");
  loop->footer(
      absl::StrCat("Example: chuhe loop --run runs/first --config configs/quickstart.yaml\n"
                   "Ctrl-C ends it in good order; the same command goes on.\nSettings:\n",
                   settings_.Help({"loop.", "ladder.", "train.", "selfplay."})));
}

absl::Status LoopCommand::Prepare() {
  if (settings_.loop.folder.empty()) {
    return absl::InvalidArgumentError("--run is required: the folder of the run");
  }
  CHUHE_RETURN_IF_ERROR(settings_.Read(config_, changes_));
  LoopOptions& loop = settings_.loop;
  loop.replay.trainer.steps = loop.steps_per_generation * loop.generations;
  return settings_.Write(loop.folder);
}

void LoopCommand::ShowGeneration(const std::vector<Generation>& generations,
                                 const std::vector<LadderRating>& ratings) {
  generations_ = generations;
  ratings_ = ratings;
  if (json_) {
    nlohmann::ordered_json line = {{"generation", generations.back().number},
                                   {"sha256", generations.back().sha256},
                                   {"steps", generations.back().steps},
                                   {"games", generations.back().games},
                                   {"evaluations", EvaluationsUpTo(generations).back()},
                                   {"seconds", generations.back().seconds}};
    for (const LadderRating& rating : ratings) {
      line["elo"][rating.player] = {{"elo", rating.rating.elo}, {"error", rating.rating.error}};
    }
    std::cout << line.dump() << std::endl;
    return;
  }
  if (!has_head_) PrintHead();
  has_head_ = true;
  PrintRow(generations.back(), EvaluationsUpTo(generations).back(), ratings);
}

LoopSink LoopCommand::MakeSink() {
  LoopSink sink;
  sink.on_message = [this](const std::string& message) {
    (json_ ? std::cerr : std::cout) << message << std::endl;
  };
  sink.on_progress = [this](const LoopProgress& progress) {
    if (json_) {
      const nlohmann::ordered_json line = {{"making", progress.generation},
                                           {"step", progress.step},
                                           {"steps", progress.steps},
                                           {"games", progress.games},
                                           {"positions_per_s", progress.positions_per_s},
                                           {"samples_per_s", progress.samples_per_s},
                                           {"seconds_left", progress.seconds_left}};
      std::cout << line.dump() << std::endl;
      return;
    }
    std::cout << absl::StrFormat(
                     "generation %d/%d  step %d/%d  games %d  %.0f positions/s  %.0f samples/s  %s",
                     progress.generation, progress.generations, progress.step, progress.steps,
                     progress.games, progress.positions_per_s, progress.samples_per_s,
                     progress.seconds_left < 0 ? "time left not known yet"
                                               : TimeText(progress.seconds_left) + " left")
              << std::endl;
  };
  sink.on_generation = [this](const std::vector<Generation>& generations,
                              const std::vector<LadderRating>& ratings) {
    ShowGeneration(generations, ratings);
  };
  return sink;
}

void LoopCommand::ShowEnd() const {
  const absl::StatusOr<PresentNetwork> present = ReadPresentNetwork(settings_.loop.folder);
  if (!present.ok() || json_) return;
  // Once more as a whole, since the ratings of all change with every ladder.
  std::cout << "\n";
  PrintHead();
  const std::vector<int64_t> evaluations = EvaluationsUpTo(generations_);
  for (size_t i = 0; i < generations_.size(); ++i) {
    PrintRow(generations_[i], evaluations[i], ratings_);
  }
  std::cout << "report:  " << settings_.loop.folder << "/report.html\n"
            << "network: " << present->path << "\n"
            << "To play against it, give your GUI this engine, with the environment variable "
               "CHUHE_NET or the option EvalFile set to the network:\n  CHUHE_NET="
            << present->path << " chuhe\n"
            << "To see it play:\n  chuhe match --engine name=mine,proto=builtin,cmd=net:"
            << present->path
            << ":64 --engine name=alphabeta,proto=builtin,cmd=alphabeta:1 --games 20\n";
}

int LoopCommand::Run() {
  if (document_) {
    std::cout << settings_.Document();
    return EXIT_SUCCESS;
  }
  absl::Status status = Prepare();
  std::atomic<bool> stop = false;
  if (status.ok()) {
    LoopTools tools;
    tools.ladder_players = MakeNetworkPlayers();
    tools.open_evaluator =
        [this](const NetworkWeights& weights) -> absl::StatusOr<std::unique_ptr<Evaluator>> {
      CHUHE_ASSIGN_OR_RETURN(OpenedEvaluator opened,
                             OpenEvaluator(weights, {.device = settings_.device,
                                                     .precision = settings_.precision,
                                                     .threads = 1}));
      return std::move(opened.evaluator);
    };
    const Interrupt interrupt([&] { stop = true; });
    status = RunLoop(settings_.loop, tools, stop, MakeSink());
  }
  if (!status.ok()) {
    std::cerr << "chuhe loop: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  if (stop) {
    std::cerr << "chuhe loop: ended before its end; the same command goes on with it\n";
    return EXIT_FAILURE;
  }
  ShowEnd();
  return EXIT_SUCCESS;
}

}  // namespace chuhe
