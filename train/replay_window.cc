#include "train/replay_window.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

// Games that are read before the old ones are dropped, so that a long history does not have to fit
// into memory at once.
constexpr uint64_t kGamesAtOnce = 1024;

// Calls work(0) … work(count - 1), in any order, on several threads.
void ForEach(size_t count, int threads, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> others;
  const size_t useful = std::min(static_cast<size_t>(threads), count);
  for (size_t i = 1; i < useful; ++i) others.emplace_back(run);
  run();
}

}  // namespace

ReplayWindow::ReadGame ReplayWindow::Read(const ShardFolder& shards, uint64_t number) {
  const absl::StatusOr<GameRecord> record = shards.ReadGame(number);
  if (!record.ok()) return {nullptr, {}, record.status()};
  auto game = std::make_shared<const PackedGame>(*record);
  if (game->size() == 0) game = nullptr;
  return {.game = std::move(game),
          .result = {.is_draw = record->outcome == Outcome::kDraw,
                     .is_capped = record->end == GameEnd::kPlyCap},
          .status = absl::OkStatus()};
}

int64_t WindowPositions(int64_t total, int64_t min_positions, double exponent) {
  if (total <= min_positions) return total;
  const auto least = static_cast<double>(min_positions);
  return std::llround(least * std::pow(static_cast<double>(total) / least, exponent));
}

absl::StatusOr<ReplayWindow> ReplayWindow::Open(const std::string& shards_folder,
                                                const ReplayWindowOptions& options) {
  CHUHE_ASSIGN_OR_RETURN(ShardFolder shards, ShardFolder::Open(shards_folder));
  ReplayWindow window(std::move(shards), options);
  window.bounds_.first_game = window.bounds_.end_game = window.shards_.begin();
  return window;
}

void ReplayWindow::Restore(const WindowBounds& bounds) {
  const uint64_t first = std::clamp(bounds.first_game, shards_.begin(), shards_.end());
  const uint64_t end = std::clamp(bounds.end_game, first, shards_.end());
  bounds_.first_game = bounds_.end_game = first;
  positions_ = ReadUpTo(end);
  bounds_.total_positions = bounds.total_positions;
  if (const uint64_t missing = bounds.end_game - bounds.first_game - (end - first); missing > 0) {
    AddProblem(static_cast<int64_t>(missing),
               absl::StrCat("the run learnt from games ", bounds.first_game, " to ",
                            bounds.end_game, "; now there are ", first, " to ", end));
  }
  shards_.Forget(first);
}

absl::StatusOr<int64_t> ReplayWindow::Refresh() {
  CHUHE_RETURN_IF_ERROR(shards_.Refresh());
  if (games_.empty() && bounds_.end_game < shards_.begin()) {
    bounds_.first_game = bounds_.end_game = shards_.begin();
  }
  const uint64_t end = shards_.end();
  int64_t added = 0;
  while (bounds_.end_game < end) {
    added += ReadUpTo(std::min(end, bounds_.end_game + kGamesAtOnce));
    DropOldGames();
  }
  return added;
}

int64_t ReplayWindow::ReadUpTo(uint64_t end) {
  std::vector<ReadGame> read(static_cast<size_t>(end - bounds_.end_game));
  const auto read_one = [&](size_t i) { read[i] = Read(shards_, bounds_.end_game + i); };
  ForEach(read.size(), options_.threads, read_one);
  int64_t added = 0;
  for (ReadGame& game : read) {
    if (game.game != nullptr) added += game.game->size();
    games_.push_back(std::move(game.game));
    if (game.status.ok()) recent_.push_back(game.result);
    if (recent_.size() > kRecentGames) recent_.pop_front();
    // A number without a game is no loss: the shards say why elsewhere.
    if (game.status.ok() || absl::IsNotFound(game.status)) continue;
    AddProblem(1, std::string(game.status.message()));
  }
  bounds_.end_game = end;
  bounds_.total_positions += added;
  positions_ += added;
  return added;
}

RecentGames ReplayWindow::recent_games() const {
  RecentGames recent;
  for (const GameResult& result : recent_) {
    ++recent.games;
    recent.draws += result.is_draw ? 1 : 0;
    recent.capped += result.is_capped ? 1 : 0;
  }
  return recent;
}

void ReplayWindow::AddProblem(int64_t games, const std::string& text) {
  if (unreadable_games_ == 0) first_problem_ = text;
  unreadable_games_ += games;
}

void ReplayWindow::DropOldGames() {
  const int64_t wanted =
      WindowPositions(bounds_.total_positions, options_.min_positions, options_.exponent);
  while (!games_.empty()) {
    const int64_t first = games_.front() == nullptr ? 0 : games_.front()->size();
    if (positions_ - first < wanted) break;
    positions_ -= first;
    games_.pop_front();
    ++bounds_.first_game;
  }
  shards_.Forget(bounds_.first_game);
}

}  // namespace chuhe
