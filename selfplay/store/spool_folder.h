// The game store of one machine or one shared disk: a folder.
//
//   games/incoming/ID.games    a game handed over, by its name; ID.PID.N.part while it is written
//   games/shards/N.games       games in the order of their numbers; N is that of the first one
//   games/quarantine/ID.games  a game that was refused; ID.reason says why
//   games/shards/lock          held by the one ingester
//
// Every file of games is a shard (docs/formats.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/records/file_descriptor.h"
#include "selfplay/store/game_store.h"

namespace chuhe {

// The paths of a spool, which all parts agree on.
struct SpoolPaths {
  std::string incoming;
  std::string shards;
  std::string quarantine;

  explicit SpoolPaths(const std::string& games_folder);
  // Makes the folders that are missing. Errors name the folder.
  absl::Status Create() const;
  std::string ShardPath(uint64_t first_game) const;
};

// The shards of a spool in the order of their games. An error for an unreadable folder.
absl::StatusOr<std::vector<std::string>> ListShards(const std::string& shards_folder);

// Thread-safe, and so are many processes on one folder.
class SpoolStore : public GameStore {
 public:
  // Makes what is missing of the folder. `at` is called between the steps of a Put, for tests.
  static absl::StatusOr<std::unique_ptr<SpoolStore>> Open(const std::string& games_folder,
                                                          std::function<void(WriteStep)> at = {});

  absl::StatusOr<GameId> Put(absl::string_view record_bytes) override;

 private:
  SpoolStore(SpoolPaths paths, std::function<void(WriteStep)> at)
      : paths_(std::move(paths)), at_(std::move(at)) {}

  const SpoolPaths paths_;
  const std::function<void(WriteStep)> at_;
  std::atomic<uint64_t> next_part_ = 0;
};

}  // namespace chuhe
