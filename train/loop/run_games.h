// The games of a run: where self-play puts them, and what they were like.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/store/game_store.h"
#include "selfplay/store/shard_folder.h"
#include "selfplay/store/spool_folder.h"
#include "selfplay/store/spool_ingester.h"
#include "train/loop/history.h"

namespace chuhe {

// Owned by one thread, but for what store() points to.
class RunGames {
 public:
  // `folder` is games/ of the run folder. Errors name what is wrong; one is that another process
  // takes in the games of this run.
  static absl::StatusOr<std::unique_ptr<RunGames>> Open(const std::string& folder);

  // Thread-safe.
  GameStore* store() { return store_.get(); }

  // Moves the games that came in into the shards. Says what was refused through `on_message`.
  absl::Status Ingest(const std::function<void(const std::string&)>& on_message);
  // In shards.
  uint64_t games() const { return ingester_->games(); }

  // Of the games with numbers from `first` to before `end`.
  absl::StatusOr<GamesSummary> Summarize(uint64_t first, uint64_t end);

 private:
  RunGames(std::unique_ptr<SpoolStore> store, std::unique_ptr<SpoolIngester> ingester,
           ShardFolder shards)
      : store_(std::move(store)), ingester_(std::move(ingester)), shards_(std::move(shards)) {}

  std::unique_ptr<SpoolStore> store_;
  std::unique_ptr<SpoolIngester> ingester_;
  ShardFolder shards_;
};

}  // namespace chuhe
