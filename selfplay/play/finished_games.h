// Hands finished games to the store on a thread of its own: a store waits for its disk, and workers
// should not.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "engine/base/bounded_queue.h"
#include "selfplay/play/game_journal.h"
#include "selfplay/play/self_play_statistics.h"
#include "selfplay/store/game_store.h"

namespace chuhe {

struct FinishedGame {
  int64_t number = 0;
  std::string record_bytes;
  SelfPlayStatistics counts;       // of this game alone
  GameJournal* journal = nullptr;  // that it is in; may be null
};

// Thread-safe.
class FinishedGames {
 public:
  // `stored` is called for each game that the store has taken, `failed` once with the first error;
  // both on the thread of this object. The store must outlive it.
  FinishedGames(GameStore* store, std::function<void(const SelfPlayStatistics&)> stored,
                std::function<void(const absl::Status&)> failed);
  FinishedGames(const FinishedGames&) = delete;
  FinishedGames& operator=(const FinishedGames&) = delete;
  ~FinishedGames() { Close(); }

  // Blocks while many games wait. False after Close() or an error: the game is not stored.
  bool Push(FinishedGame game);
  // How many games have been pushed.
  int64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
  // Blocks until the games that were pushed are in the store, or cannot be.
  void Close();

 private:
  void Run();
  absl::Status Store(const FinishedGame& game);

  GameStore* const store_;
  const std::function<void(const SelfPlayStatistics&)> stored_;
  const std::function<void(const absl::Status&)> failed_;
  BoundedQueue<FinishedGame> queue_;
  std::atomic<int64_t> pushed_ = 0;
  std::thread thread_;
};

}  // namespace chuhe
