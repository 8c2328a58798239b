#include "cli/selfplay_command.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/interrupt.h"
#include "engine/base/core_budget.h"
#include "engine/base/status_macros.h"
#include "nets/weights/weights_file.h"
#include "nlohmann/json.hpp"
#include "train/present_network.h"

namespace chuhe {
namespace {

constexpr std::chrono::milliseconds kPause(500);
constexpr int kShortName = 12;  // digits of a network's name that people are shown

std::string HostName() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "unknown";
}

std::string TimeText(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  return absl::StrFormat("%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
}

double Share(int64_t part, int64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

void SelfPlayCommand::Register(CLI::App& app) {
  CLI::App* play = app.add_subcommand("selfplay", "Play games of a network against itself");
  play->add_option("--run", run_, "Folder of the run; games go to its folder games")->required();
  play->add_option("--net", network_,
                   "Network file; if not given, the run's present network, and each new one");
  play->add_option("--config", config_, "YAML file of settings");
  play->add_option("--set", changes_, "One setting, such as selfplay.visits=32")
      ->allow_extra_args(false);
  play->add_option("--games", options_.max_games, "End after so many games; 0: at Ctrl-C")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  play->add_option("--workers", workers_,
                   "Threads, each with games of its own; 0: one for each core, or one for a GPU")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  play->add_option("--seed", options_.seed, "Of all chance in the games")->capture_default_str();
  play->add_option("--device", device_, "cpu, cuda or cuda:0,1; if not given, loop.device");
  play->add_option("--precision", precision_,
                   "auto, fp32, bf16, fp16 or int8; if not given, loop.precision");
  play->add_option("--name", options_.worker_name, "Who played, in the records; else the host");
  play->add_option("--report-every", report_every_, "Seconds between two lines")
      ->check(CLI::Range(0.1, 86400.0))
      ->capture_default_str();
  play->add_flag("--json", json_, "Print one JSON object a line instead of text");
  play->footer(
      absl::StrCat("Example: chuhe selfplay --run runs/first --net net.safetensors --games 100\n"
                   "Ctrl-C ends it in good order; the games under way go on with the next "
                   "start.\nSettings:\n",
                   settings_.Help({"selfplay."})));
}

void SelfPlayCommand::Tell(const std::string& message) const {
  (json_ ? std::cerr : std::cout) << message << std::endl;
}

absl::Status SelfPlayCommand::Prepare() {
  CHUHE_RETURN_IF_ERROR(settings_.Read(config_, changes_));
  options_.play = settings_.loop.play;
  evaluator_.device = device_.empty() ? settings_.device : device_;
  evaluator_.precision = precision_.empty() ? settings_.precision : precision_;
  CHUHE_RETURN_IF_ERROR(CheckEvaluatorOptions(evaluator_));
  // Beside the settings of the loop or the training that may be at work here.
  CHUHE_RETURN_IF_ERROR(settings_.Write(run_, "selfplay.yaml"));
  if (options_.worker_name.empty()) options_.worker_name = HostName();
  options_.journal_folder = run_ + "/games/under_way";
  const std::string games = run_ + "/games";
  CHUHE_ASSIGN_OR_RETURN(store_, SpoolStore::Open(games));
  options_.earlier_games = SpoolPaths(games).shards;
  absl::StatusOr<std::unique_ptr<SpoolIngester>> ingester = SpoolIngester::Open(games);
  if (ingester.ok()) {
    ingester_ = *std::move(ingester);
  } else if (!absl::IsFailedPrecondition(ingester.status())) {
    return ingester.status();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> SelfPlayCommand::NetworkFile() const {
  if (!network_.empty()) return network_;
  const absl::StatusOr<PresentNetwork> present = ReadPresentNetwork(run_);
  if (present.ok()) return present->path;
  if (!absl::IsNotFound(present.status())) return present.status();
  return absl::NotFoundError(
      absl::StrCat(run_,
                   " has no network yet: name one with --net FILE (`chuhe net init --size "
                   "tiny --out FILE` makes a fresh one), or let `chuhe train` or `chuhe "
                   "loop` make one for the run"));
}

absl::StatusOr<PlayingNetwork> SelfPlayCommand::ReadPlayingNetwork(const std::string& file) const {
  CHUHE_ASSIGN_OR_RETURN(NamedNetwork network, ReadNetwork(file));
  const auto weights = std::make_shared<const NetworkWeights>(std::move(network.weights));
  PlayingNetwork playing;
  playing.sha256 = network.sha256;
  playing.open = [weights, options = evaluator_]() -> absl::StatusOr<std::unique_ptr<Evaluator>> {
    CHUHE_ASSIGN_OR_RETURN(OpenedEvaluator opened, OpenEvaluator(*weights, options));
    return std::move(opened.evaluator);
  };
  return playing;
}

void SelfPlayCommand::FollowNetwork(SelfPlayRunner* runner) {
  if (!network_.empty()) return;
  const absl::StatusOr<std::string> file = NetworkFile();
  const std::string name = file.ok() ? *file : std::string(file.status().message());
  if (name == playing_ || name == refused_) return;
  absl::Status status = file.status();
  if (status.ok()) {
    absl::StatusOr<PlayingNetwork> network = ReadPlayingNetwork(*file);
    status = network.ok() ? runner->SetNetwork(*network) : network.status();
    if (status.ok()) {
      playing_ = *file;
      Tell(absl::StrCat("network ", network->sha256.substr(0, kShortName)));
      return;
    }
  }
  refused_ = name;
  std::cerr << "chuhe selfplay: goes on with the network that it has: " << status.message()
            << std::endl;
}

absl::Status SelfPlayCommand::Ingest() {
  if (ingester_ == nullptr) return absl::OkStatus();
  CHUHE_ASSIGN_OR_RETURN(const IngestReport report, ingester_->Ingest());
  if (report.quarantined > 0) {
    std::cerr << "chuhe selfplay: " << report.quarantined
              << " games were put in quarantine; the first: " << report.first_problem << std::endl;
  }
  return absl::OkStatus();
}

void SelfPlayCommand::ShowProgress(const SelfPlayStatistics& now, bool is_end) {
  const double seconds = std::max(now.seconds - shown_.seconds, 1e-3);
  const auto rate = [&](int64_t all, int64_t before) {
    return is_end ? static_cast<double>(all) / std::max(now.seconds, 1e-3)
                  : static_cast<double>(all - before) / seconds;
  };
  const double games_per_s = rate(now.games, shown_.games);
  const double seconds_left = options_.max_games == 0 || now.games == 0
                                  ? -1
                                  : static_cast<double>(options_.max_games - now.games) *
                                        now.seconds / static_cast<double>(now.games);
  if (json_) {
    nlohmann::ordered_json line = {
        {"games", now.games},
        {"games_under_way", now.games_under_way},
        {"plies", now.plies},
        {"positions", now.positions},
        {"samples", now.samples},
        {"evaluations", now.evaluations},
        {"red_wins", now.red_wins},
        {"draws", now.draws},
        {"black_wins", now.black_wins},
        {"capped", now.capped},
        {"adjudicated", now.adjudicated},
        {"adjudications_passed", now.adjudications_passed},
        {"adjudications_wrong", now.adjudications_wrong},
        {"resigned", now.resigned},
        {"resignations_passed", now.resignations_passed},
        {"resignations_wrong", now.resignations_wrong},
        {"seconds", now.seconds},
        {"games_per_s", games_per_s},
        {"positions_per_s", rate(now.positions, shown_.positions)},
        {"evaluations_per_s", rate(now.evaluations, shown_.evaluations)}};
    if (seconds_left >= 0) line["seconds_left"] = seconds_left;
    std::cout << line.dump() << std::endl;
  } else {
    std::cout << absl::StrFormat(
                     "games %d  %.2f games/s  %.0f positions/s  %.0f evaluations/s  red %.0f %% "
                     "draw %.0f %%  %.0f plies a game  capped %.0f %%%s",
                     now.games, games_per_s, rate(now.positions, shown_.positions),
                     rate(now.evaluations, shown_.evaluations),
                     100 * Share(now.red_wins, now.games), 100 * Share(now.draws, now.games),
                     Share(now.plies, now.games), 100 * Share(now.capped, now.games),
                     seconds_left < 0 ? "" : "  " + TimeText(seconds_left) + " left")
              << std::endl;
  }
  shown_ = now;
}

bool SelfPlayCommand::Pause() {
  const MutexLock lock(&mutex_);
  if (!is_stopped_) changed_.WaitUntil(&mutex_, std::chrono::steady_clock::now() + kPause);
  return !is_stopped_;
}

absl::Status SelfPlayCommand::Play() {
  CHUHE_RETURN_IF_ERROR(Prepare());
  CHUHE_ASSIGN_OR_RETURN(playing_, NetworkFile());
  CHUHE_ASSIGN_OR_RETURN(PlayingNetwork network, ReadPlayingNetwork(playing_));
  evaluator_.max_batch = std::max(evaluator_.max_batch, options_.play.games);
  CoreBudget budget;
  const bool is_cpu = evaluator_.device == "cpu";
  const int wanted = workers_ > 0 ? workers_ : is_cpu ? budget.cores() : 1;
  CHUHE_ASSIGN_OR_RETURN(const CoreLease cores,
                         budget.Lease("self-play", 1, std::min(wanted, budget.cores())));
  options_.workers = wanted;
  Tell(absl::StrCat("network ", network.sha256.substr(0, kShortName), ", ", wanted,
                    wanted == 1 ? " worker of " : " workers of ", options_.play.games, " games",
                    ingester_ == nullptr ? "; another process ingests the games" : ""));
  CHUHE_ASSIGN_OR_RETURN(const std::unique_ptr<SelfPlayRunner> runner,
                         SelfPlayRunner::Start(options_, std::move(network), store_.get()));
  double next_report = report_every_;
  absl::Status status;
  while (status.ok() && Pause() && !runner->is_finished()) {
    FollowNetwork(runner.get());
    status = Ingest();
    status.Update(runner->status());
    const SelfPlayStatistics now = runner->statistics();
    if (now.seconds < next_report) continue;
    next_report = now.seconds + report_every_;
    ShowProgress(now, /*is_end=*/false);
  }
  const bool is_finished = runner->is_finished();
  status.Update(runner->Stop());
  CHUHE_RETURN_IF_ERROR(status);
  CHUHE_RETURN_IF_ERROR(Ingest());
  ShowProgress(runner->statistics(), /*is_end=*/true);
  if (options_.max_games == 0 || is_finished) return absl::OkStatus();
  return absl::CancelledError("ended before all games were played; the same command goes on");
}

int SelfPlayCommand::Run() {
  const Interrupt interrupt([this] {
    const MutexLock lock(&mutex_);
    is_stopped_ = true;
    changed_.NotifyAll();
  });
  const absl::Status status = Play();
  if (!status.ok()) {
    std::cerr << "chuhe selfplay: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace chuhe
