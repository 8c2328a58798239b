#include "train/supervised_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "train/batch_loader.h"
#include "train/event_file.h"
#include "train/permutation.h"
#include "train/real_games.h"
#include "train/run_folder.h"
#include "train/supervised_source.h"

namespace chuhe {
namespace {

constexpr int kValidationBatch = 256;
constexpr int kCalibrationPositions = 512;
constexpr int kBatchesAhead = 4;

// Keys of all positions that the games come to, sorted.
std::vector<uint64_t> PositionKeys(const std::vector<GameRecord>& games) {
  std::vector<uint64_t> keys;
  for (const GameRecord& game : games) {
    Position position = game.start;
    for (const PlyRecord& ply : game.plies) {
      keys.push_back(position.key());
      position.Make(ply.move);
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::vector<Batch> MakeBatches(std::span<const Sample> samples) {
  std::vector<Batch> batches;
  for (size_t begin = 0; begin < samples.size(); begin += kValidationBatch) {
    batches.push_back(MakeBatch(
        samples.subspan(begin, std::min<size_t>(kValidationBatch, samples.size() - begin))));
  }
  return batches;
}

struct ValidationSet {
  std::vector<Batch> all;
  std::vector<Batch> unseen;
  std::vector<PackedPosition> calibration;
};

ValidationSet MakeValidationSet(std::vector<GameRecord> held_out,
                                const std::vector<GameRecord>& training, int positions,
                                uint64_t seed) {
  const std::vector<uint64_t> seen = PositionKeys(training);
  const SupervisedSource source(std::move(held_out), seed);
  std::vector<Sample> all;
  std::vector<Sample> unseen;
  ValidationSet set;
  const uint64_t count = std::min<uint64_t>(static_cast<uint64_t>(positions), source.positions());
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t number = PermutedIndex(i, source.positions(), seed);
    all.push_back(source.At(number));
    if (!std::binary_search(seen.begin(), seen.end(), source.KeyAt(number))) {
      unseen.push_back(all.back());
    }
    if (set.calibration.size() < kCalibrationPositions) {
      set.calibration.push_back(all.back().packed);
    }
  }
  set.all = MakeBatches(all);
  set.unseen = MakeBatches(unseen);
  return set;
}

struct FirstTrainer {
  std::unique_ptr<Trainer> trainer;
  std::string parent;  // SHA-256 of the network it begins with, if there is one
};

absl::StatusOr<FirstTrainer> MakeTrainer(const SupervisedRunOptions& options) {
  FirstTrainer first;
  if (options.network_file.empty()) {
    CHUHE_ASSIGN_OR_RETURN(const Architecture architecture, ParseArchitecture(options.size));
    CHUHE_ASSIGN_OR_RETURN(first.trainer, Trainer::Create(architecture, options.trainer));
    return first;
  }
  CHUHE_ASSIGN_OR_RETURN(const NamedNetwork network, ReadNetwork(options.network_file));
  CHUHE_ASSIGN_OR_RETURN(first.trainer, Trainer::FromNetwork(network.weights, options.trainer));
  first.parent = network.sha256;
  return first;
}

// The parts of a run that is under way.
class SupervisedRun {
 public:
  SupervisedRun(const SupervisedRunOptions& options, RunFolder folder, EventFile events,
                FirstTrainer first, GameSplit split)
      : options_(options),
        folder_(std::move(folder)),
        events_(std::move(events)),
        trainer_(std::move(first.trainer)),
        parent_(std::move(first.parent)),
        validation_(MakeValidationSet(std::move(split.validation), split.training,
                                      options.validation_positions, options.seed)),
        source_(std::move(split.training), options.seed) {}

  absl::Status Run(const std::atomic<bool>& stop, const RunProgressSink& on_progress) {
    BatchLoader loader(&source_, options_.batch_size, static_cast<uint64_t>(trainer_->steps_done()),
                       options_.loader_threads, kBatchesAhead,
                       static_cast<uint64_t>(options_.trainer.steps));
    const int64_t steps = options_.trainer.steps;
    auto last_report = std::chrono::steady_clock::now();
    while (trainer_->steps_done() < steps && !stop) {
      CHUHE_ASSIGN_OR_RETURN(const StepReport report, trainer_->Step(loader.Next()));
      mean_.Add(report);
      const bool is_last = report.step == steps || stop;
      if (report.step % options_.checkpoint_every == 0 || is_last) {
        CHUHE_RETURN_IF_ERROR(trainer_->SaveCheckpoint(folder_.checkpoint_path()));
      }
      const bool validates = report.step % options_.validate_every == 0 || is_last;
      if (report.step % options_.report_every != 0 && !validates) continue;
      const auto now = std::chrono::steady_clock::now();
      const std::chrono::duration<double> elapsed = now - last_report;
      RunProgress progress;
      progress.samples_per_s = mean_.count() * options_.batch_size / elapsed.count();
      progress.step = mean_.Take();
      if (validates) CHUHE_RETURN_IF_ERROR(Validate(&progress));
      CHUHE_RETURN_IF_ERROR(WriteEvents(progress, &events_));
      on_progress(progress);
      last_report = std::chrono::steady_clock::now();
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Publish() const {
    NetworkOrigin origin;
    origin.training_steps = trainer_->steps_done();
    origin.parent = parent_;
    origin.note = absl::StrCat("supervised training on ", source_.games().size(), " games");
    CHUHE_ASSIGN_OR_RETURN(NetworkWeights network, trainer_->Export(origin));
    return folder_.Publish(std::move(network), StorageType::kFloat16, validation_.calibration);
  }

 private:
  absl::Status Validate(RunProgress* progress) {
    progress->is_validated = true;
    CHUHE_ASSIGN_OR_RETURN(progress->validation, trainer_->Validate(validation_.all));
    CHUHE_ASSIGN_OR_RETURN(progress->unseen, trainer_->Validate(validation_.unseen));
    return absl::OkStatus();
  }

  SupervisedRunOptions options_;
  RunFolder folder_;
  EventFile events_;
  std::unique_ptr<Trainer> trainer_;
  std::string parent_;
  ValidationSet validation_;
  SupervisedSource source_;
  ReportMean mean_;
};

}  // namespace

absl::Status RunSupervised(const SupervisedRunOptions& options, const std::atomic<bool>& stop,
                           const RunProgressSink& on_progress, const MessageSink& on_message) {
  CHUHE_ASSIGN_OR_RETURN(FirstTrainer first, MakeTrainer(options));
  CHUHE_ASSIGN_OR_RETURN(RunFolder folder, RunFolder::Open(options.folder));
  CHUHE_ASSIGN_OR_RETURN(std::vector<GameRecord> games,
                         ReadRealGames(options.game_files, on_message));
  GameSplit split = SplitGames(std::move(games), options.validation_one_in);
  if (split.training.empty() || split.validation.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("too few games: ", split.training.size(),
                                                   " for training and ", split.validation.size(),
                                                   " for validation; both need at least one"));
  }
  on_message(absl::StrCat(split.training.size(), " games for training, ", split.validation.size(),
                          " for validation"));
  if (std::filesystem::exists(folder.checkpoint_path())) {
    CHUHE_RETURN_IF_ERROR(first.trainer->LoadCheckpoint(folder.checkpoint_path()));
    on_message(absl::StrCat("resumed after step ", first.trainer->steps_done()));
  }
  CHUHE_ASSIGN_OR_RETURN(EventFile events, EventFile::Create(folder.events_path()));
  const std::string network_folder = options.folder;
  SupervisedRun run(options, std::move(folder), std::move(events), std::move(first),
                    std::move(split));
  CHUHE_RETURN_IF_ERROR(run.Run(stop, on_progress));
  CHUHE_ASSIGN_OR_RETURN(const std::string sha256, run.Publish());
  on_message(absl::StrCat("network: ", network_folder, "/nets/", sha256, ".safetensors"));
  return absl::OkStatus();
}

}  // namespace chuhe
