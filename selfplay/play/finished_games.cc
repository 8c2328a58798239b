#include "selfplay/play/finished_games.h"

#include <optional>
#include <utility>

#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

constexpr size_t kMostWaiting = 256;

}  // namespace

FinishedGames::FinishedGames(GameStore* store,
                             std::function<void(const SelfPlayStatistics&)> stored,
                             std::function<void(const absl::Status&)> failed)
    : store_(store),
      stored_(std::move(stored)),
      failed_(std::move(failed)),
      queue_(kMostWaiting),
      thread_([this] { Run(); }) {}

bool FinishedGames::Push(FinishedGame game) {
  pushed_.fetch_add(1, std::memory_order_release);
  return queue_.Push(std::move(game));
}

absl::Status FinishedGames::Store(const FinishedGame& game) {
  CHUHE_RETURN_IF_ERROR(store_->Put(game.record_bytes).status());
  return game.journal == nullptr ? absl::OkStatus() : game.journal->MarkStored(game.number);
}

void FinishedGames::Run() {
  bool has_failed = false;
  while (std::optional<FinishedGame> game = queue_.Pop()) {
    if (has_failed) continue;
    const absl::Status status = Store(*game);
    if (status.ok()) {
      stored_(game->counts);
    } else {
      has_failed = true;
      queue_.Close();
      failed_(status);
    }
  }
}

void FinishedGames::Close() {
  queue_.Close();
  if (thread_.joinable()) thread_.join();
}

}  // namespace chuhe
