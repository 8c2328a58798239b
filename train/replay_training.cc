#include "train/replay_training.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/store/spool_folder.h"
#include "train/batch_loader.h"
#include "train/mixed_source.h"

namespace chuhe {
namespace {

constexpr int kCalibrationPositions = 512;
constexpr int kBatchesAhead = 4;

// The folder that games are read from; that of the run is made if need be.
absl::StatusOr<std::string> RecordsFolder(const RunFolder& folder, const ReplayOptions& options) {
  if (!options.records_folder.empty()) return options.records_folder;
  const SpoolPaths paths(folder.games_path());
  CHUHE_RETURN_IF_ERROR(paths.Create());
  return paths.shards;
}

// Null if there are to be none. The games that are held out stay unseen.
absl::StatusOr<std::unique_ptr<SupervisedSource>> ReadSource(
    const RealGamesOptions& options, uint64_t seed,
    const std::function<void(const std::string&)>& on_message) {
  if (options.file.empty()) return nullptr;
  CHUHE_ASSIGN_OR_RETURN(std::vector<GameRecord> games, ReadRealGames({options.file}, on_message));
  GameSplit split = SplitGames(std::move(games), options.validation_one_in);
  if (split.training.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.file, ": holds no game to learn from; those that are held out, one in ",
        options.validation_one_in, ", do not count"));
  }
  return std::make_unique<SupervisedSource>(std::move(split.training), seed);
}

}  // namespace

ReplayTraining::ReplayTraining(const RunFolder& folder, const ReplayOptions& options,
                               NetworkOrigin origin, std::unique_ptr<Trainer> trainer,
                               ReplayWindow window, std::unique_ptr<SupervisedSource> real_games)
    : folder_(folder),
      options_(options),
      origin_(std::move(origin)),
      trainer_(std::move(trainer)),
      window_(std::move(window)),
      real_games_(std::move(real_games)),
      bucket_(options.samples_per_position) {}

int ReplayTraining::real_samples() const {
  if (real_games_ == nullptr) return 0;
  const double samples = std::round(options_.real.share * options_.batch_size);
  return std::min(static_cast<int>(samples), options_.batch_size - 1);
}

absl::StatusOr<std::unique_ptr<ReplayTraining>> ReplayTraining::Open(
    const RunFolder& folder, const NetworkWeights& network, const ReplayOptions& options,
    const std::function<void(const std::string&)>& on_message) {
  CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<Trainer> trainer,
                         Trainer::FromNetwork(network, options.trainer));
  CHUHE_ASSIGN_OR_RETURN(const std::string records, RecordsFolder(folder, options));
  CHUHE_ASSIGN_OR_RETURN(ReplayWindow window,
                         ReplayWindow::Open(records, {.min_positions = options.min_positions,
                                                      .exponent = options.window_exponent,
                                                      .threads = options.loader_threads}));
  CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<SupervisedSource> real_games,
                         ReadSource(options.real, options.seed, on_message));
  std::unique_ptr<ReplayTraining> training(new ReplayTraining(folder, options, network.origin,
                                                              std::move(trainer), std::move(window),
                                                              std::move(real_games)));
  CHUHE_RETURN_IF_ERROR(training->Resume());
  CHUHE_RETURN_IF_ERROR(training->Refresh());
  return training;
}

absl::Status ReplayTraining::Resume() {
  std::error_code ignored;
  if (std::filesystem::exists(folder_.checkpoint_path(), ignored)) {
    CHUHE_RETURN_IF_ERROR(trainer_->LoadCheckpoint(folder_.checkpoint_path()));
  }
  chunk_.first_step = chunk_.end_step = steps_done();
  CHUHE_ASSIGN_OR_RETURN(const std::optional<ReplayChunk> chunk,
                         ReadReplayChunk(folder_.chunk_path()));
  if (!chunk.has_value()) return absl::OkStatus();
  if (steps_done() < chunk->first_step || steps_done() > chunk->end_step) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder_.chunk_path(), ": is of steps ", chunk->first_step, " to ",
                     chunk->end_step, ", but ", folder_.checkpoint_path(), " of step ",
                     steps_done(), "; remove the former to go on"));
  }
  window_.Restore(chunk->window);
  bucket_ = TokenBucket(options_.samples_per_position, chunk->samples_paid);
  bucket_.Take((steps_done() - chunk->first_step) * paid_samples());
  if (window_.positions() == 0) return absl::OkStatus();
  chunk_ = *chunk;
  source_ = std::make_unique<ReplaySource>(window_.games(), options_.seed);
  return absl::OkStatus();
}

absl::Status ReplayTraining::Refresh() {
  CHUHE_ASSIGN_OR_RETURN(const int64_t added, window_.Refresh());
  bucket_.Pay(added);
  return absl::OkStatus();
}

int64_t ReplayTraining::steps_left_of_chunk() const {
  return std::max<int64_t>(chunk_.end_step - steps_done(), 0);
}

int64_t ReplayTraining::steps_due() const {
  const int64_t begun = steps_left_of_chunk();
  if (window_.bounds().total_positions < options_.min_positions) return begun;
  return std::max(begun, bucket_.Batches(paid_samples()));
}

WindowReport ReplayTraining::window() const {
  const WindowBounds& bounds = window_.bounds();
  return {.first_game = bounds.first_game,
          .end_game = bounds.end_game,
          .positions = window_.positions(),
          .total_positions = bounds.total_positions,
          .recent = window_.recent_games(),
          .unreadable_games = window_.unreadable_games(),
          .first_problem = window_.first_problem()};
}

absl::Status ReplayTraining::BeginChunk(int64_t steps) {
  const ReplayChunk chunk = {.first_step = steps_done(),
                             .end_step = steps_done() + steps,
                             .window = window_.bounds(),
                             .samples_paid = bucket_.samples()};
  CHUHE_RETURN_IF_ERROR(WriteReplayChunk(chunk, folder_.chunk_path()));
  chunk_ = chunk;
  source_ = std::make_unique<ReplaySource>(window_.games(), options_.seed);
  return absl::OkStatus();
}

absl::Status ReplayTraining::TrainChunk(int64_t end_step, const std::atomic<bool>& stop,
                                        const std::function<void(const StepReport&)>& on_step) {
  const MixedSource source(real_games_.get(), real_samples(), source_.get());
  BatchLoader loader(&source, options_.batch_size, static_cast<uint64_t>(steps_done()),
                     options_.loader_threads, kBatchesAhead, static_cast<uint64_t>(end_step));
  while (steps_done() < end_step && !stop) {
    CHUHE_ASSIGN_OR_RETURN(const StepReport report, trainer_->Step(loader.Next()));
    bucket_.Take(paid_samples());
    if (on_step) on_step(report);
  }
  return trainer_->SaveCheckpoint(folder_.checkpoint_path());
}

absl::Status ReplayTraining::Train(int64_t step, const std::atomic<bool>& stop,
                                   const std::function<void(const StepReport&)>& on_step) {
  while (!stop) {
    const int64_t steps = std::min({step - steps_done(), steps_due(), options_.checkpoint_every});
    if (steps <= 0) break;
    if (steps_left_of_chunk() == 0) CHUHE_RETURN_IF_ERROR(BeginChunk(steps));
    CHUHE_RETURN_IF_ERROR(
        TrainChunk(std::min(chunk_.end_step, steps_done() + steps), stop, on_step));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReplayTraining::Publish() {
  if (source_ == nullptr && window_.positions() == 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(folder_.games_path(), ": holds no positions to calibrate a network on"));
  }
  NetworkOrigin origin = origin_;
  origin.training_steps = steps_done();
  origin.note = absl::StrCat("trained on self-play up to game ",
                             source_ == nullptr ? 0 : chunk_.window.end_game);
  CHUHE_ASSIGN_OR_RETURN(NetworkWeights network, trainer_->Export(origin));
  const std::vector<PackedPosition> positions =
      source_ != nullptr
          ? source_->DrawPositions(kCalibrationPositions, static_cast<uint64_t>(steps_done()))
          : ReplaySource(window_.games(), options_.seed)
                .DrawPositions(kCalibrationPositions, static_cast<uint64_t>(steps_done()));
  return folder_.Publish(std::move(network), StorageType::kFloat16, positions);
}

}  // namespace chuhe
