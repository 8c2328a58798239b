// Which games of self-play training learns from: the newest ones, as many positions as a power law
// says of all that there have been.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/store/shard_folder.h"
#include "train/packed_game.h"

namespace chuhe {

// Positions of the window when there have been `total`: all up to min_positions, then
// min_positions · (total / min_positions) ^ exponent.
int64_t WindowPositions(int64_t total, int64_t min_positions, double exponent);

struct ReplayWindowOptions {
  int64_t min_positions = 10000;
  double exponent = 0.75;
  int threads = 1;  // to read games with
};

// A stretch of games by their numbers, and the positions of all games before its end.
struct WindowBounds {
  uint64_t first_game = 0;
  uint64_t end_game = 0;
  int64_t total_positions = 0;

  friend bool operator==(const WindowBounds&, const WindowBounds&) = default;
};

// What the latest games of a window came to.
struct RecentGames {
  int64_t games = 0;  // at most kRecentGames
  int64_t draws = 0;
  int64_t capped = 0;  // ended by the ply cap
};
inline constexpr size_t kRecentGames = 200;

// Whole games: the fewest of the newest that have the positions. The games are packed in memory,
// about 120 bytes a position. Owned by one thread.
class ReplayWindow {
 public:
  using Games = std::vector<std::shared_ptr<const PackedGame>>;

  // Empty so far: nothing is read. An error if the folder cannot be read.
  static absl::StatusOr<ReplayWindow> Open(const std::string& shards_folder,
                                           const ReplayWindowOptions& options);

  // Reads the games of a window that there was, instead of all before it. To be called once, before
  // Refresh(). Those that are not there any more are left out and counted.
  void Restore(const WindowBounds& bounds);
  // Takes in the games that were added; returns how many positions they have. Games that cannot be
  // read are left out and counted.
  absl::StatusOr<int64_t> Refresh();

  const WindowBounds& bounds() const { return bounds_; }
  int64_t positions() const { return positions_; }
  // The games within the bounds; null for those without positions. They live as long as anyone
  // holds them.
  Games games() const { return {games_.begin(), games_.end()}; }

  RecentGames recent_games() const;
  int64_t unreadable_games() const { return unreadable_games_; }
  const std::string& first_problem() const { return first_problem_; }

 private:
  struct GameResult {
    bool is_draw = false;
    bool is_capped = false;
  };
  struct ReadGame {
    std::shared_ptr<const PackedGame> game;
    GameResult result;
    absl::Status status;
  };

  ReplayWindow(ShardFolder shards, const ReplayWindowOptions& options)
      : options_(options), shards_(std::move(shards)) {}
  static ReadGame Read(const ShardFolder& shards, uint64_t number);
  // Packs the games up to `end` and appends them; returns how many positions they have.
  int64_t ReadUpTo(uint64_t end);
  void DropOldGames();
  void AddProblem(int64_t games, const std::string& text);

  ReplayWindowOptions options_;
  ShardFolder shards_;
  std::deque<std::shared_ptr<const PackedGame>> games_;
  WindowBounds bounds_;
  int64_t positions_ = 0;  // of games_
  std::deque<GameResult> recent_;
  int64_t unreadable_games_ = 0;
  std::string first_problem_;
};

}  // namespace chuhe
