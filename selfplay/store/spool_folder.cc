#include "selfplay/store/spool_folder.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "selfplay/records/shard_writer.h"

namespace chuhe {

SpoolPaths::SpoolPaths(const std::string& games_folder)
    : incoming(games_folder + "/incoming"),
      shards(games_folder + "/shards"),
      quarantine(games_folder + "/quarantine") {}

absl::Status SpoolPaths::Create() const {
  for (const std::string& folder : {incoming, shards, quarantine}) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return absl::UnavailableError(absl::StrCat(folder, ": cannot be made: ", error.message()));
    }
  }
  return absl::OkStatus();
}

std::string SpoolPaths::ShardPath(uint64_t first_game) const {
  return absl::StrFormat("%s/%012d.games", shards, first_game);
}

absl::StatusOr<std::vector<std::string>> ListShards(const std::string& shards_folder) {
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::directory_iterator entry(shards_folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (absl::EndsWith(entry->path().string(), ".games")) paths.push_back(entry->path().string());
  }
  if (error) {
    return absl::UnavailableError(
        absl::StrCat(shards_folder, ": cannot be read: ", error.message()));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

absl::StatusOr<std::unique_ptr<SpoolStore>> SpoolStore::Open(const std::string& games_folder,
                                                             std::function<void(WriteStep)> at) {
  SpoolPaths paths(games_folder);
  CHUHE_RETURN_IF_ERROR(paths.Create());
  return std::unique_ptr<SpoolStore>(new SpoolStore(std::move(paths), std::move(at)));
}

absl::StatusOr<GameId> SpoolStore::Put(absl::string_view record_bytes) {
  if (record_bytes.size() > kMaxRecordBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a game of ", record_bytes.size(), " bytes, at most ", kMaxRecordBytes));
  }
  const GameId id = IdOf(record_bytes);
  const std::string path = absl::StrCat(paths_.incoming, "/", id.Hex());
  // A name of its own for each writer, so that two that put one game do not write into one file.
  const std::string aside =
      absl::StrCat(path, ".", getpid(), ".", next_part_.fetch_add(1), ".part");
  CHUHE_RETURN_IF_ERROR(WriteDurably(path + ".games", aside, OneGameShard(record_bytes), at_));
  return id;
}

}  // namespace chuhe
