#include "selfplay/store/shard_folder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/store/spool_folder.h"

namespace chuhe {

absl::StatusOr<ShardFolder> ShardFolder::Open(const std::string& folder) {
  ShardFolder shards(folder);
  CHUHE_RETURN_IF_ERROR(shards.Refresh());
  return shards;
}

absl::Status ShardFolder::Refresh() {
  // Only the last shard grows.
  if (!shards_.empty()) CHUHE_RETURN_IF_ERROR(shards_.back().Refresh());
  CHUHE_ASSIGN_OR_RETURN(const std::vector<std::string> paths, ListShards(folder_));
  for (const std::string& path : paths) {
    if (!shards_.empty() && path <= shards_.back().path()) continue;
    CHUHE_ASSIGN_OR_RETURN(ShardReader shard, ShardReader::Open(path));
    if (shard.first_game() + shard.size() <= forgotten_before_ && path != paths.back()) continue;
    if (!shards_.empty() && shard.first_game() < end()) {
      return absl::DataLossError(absl::StrCat(path, ": begins with game ", shard.first_game(),
                                              ", which another shard has"));
    }
    shards_.push_back(std::move(shard));
  }
  return absl::OkStatus();
}

void ShardFolder::Forget(uint64_t before) {
  forgotten_before_ = std::max(forgotten_before_, before);
  while (shards_.size() > 1 && shards_[1].first_game() <= before) shards_.erase(shards_.begin());
}

uint64_t ShardFolder::size() const {
  uint64_t games = 0;
  for (const ShardReader& shard : shards_) games += shard.size();
  return games;
}

absl::StatusOr<GameRecord> ShardFolder::ReadGame(uint64_t number) const {
  auto shard = std::upper_bound(
      shards_.begin(), shards_.end(), number,
      [](uint64_t game, const ShardReader& reader) { return game < reader.first_game(); });
  if (shard != shards_.begin()) {
    --shard;
    const uint64_t index = number - shard->first_game();
    if (index < shard->size()) return shard->ReadGame(static_cast<size_t>(index));
  }
  return absl::NotFoundError(
      absl::StrCat(folder_, ": no game ", number, ", there are ", begin(), " to ", end()));
}

}  // namespace chuhe
