// All games of a store by their numbers: what training reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/records/shard_reader.h"

namespace chuhe {

// The shards of a folder, such as runs/NAME/games/shards. Keeps the place of each game (8 bytes)
// and an open file for each shard. Reading is thread-safe; Refresh() and Forget() are not.
class ShardFolder {
 public:
  // An error for a folder or a shard that cannot be read. There need be no shard yet.
  static absl::StatusOr<ShardFolder> Open(const std::string& folder);

  // Finds games and shards that were added since.
  absl::Status Refresh();
  // Closes the shards all of whose games have lower numbers. Their files stay.
  void Forget(uint64_t before);

  // Numbers of the first game and behind the last one. Where a shard is damaged or was taken away,
  // numbers in between have no game.
  uint64_t begin() const { return shards_.empty() ? 0 : shards_.front().first_game(); }
  uint64_t end() const {
    return shards_.empty() ? 0 : shards_.back().first_game() + shards_.back().size();
  }
  // How many games there are.
  uint64_t size() const;

  // NotFound where the number has no game.
  absl::StatusOr<GameRecord> ReadGame(uint64_t number) const;

  const std::vector<ShardReader>& shards() const { return shards_; }

 private:
  explicit ShardFolder(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  uint64_t forgotten_before_ = 0;
  std::vector<ShardReader> shards_;  // in the order of their games
};

}  // namespace chuhe
