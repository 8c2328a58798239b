#include "selfplay/store/game_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "selfplay/records/game_tsv.h"
#include "selfplay/records/pgn_reader.h"
#include "selfplay/records/shard_reader.h"

namespace chuhe {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::vector<std::string>> ShardsBelow(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename() == "quarantine") entry.disable_recursion_pending();
    if (path.extension() == ".games") paths.push_back(path.string());
  }
  if (error) {
    return absl::UnavailableError(absl::StrCat(folder, ": cannot be read: ", error.message()));
  }
  if (paths.empty()) {
    return absl::NotFoundError(absl::StrCat(folder, ": holds no files *.games"));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

using KnownGames = absl::flat_hash_set<std::array<uint8_t, 16>>;

// False: the visitor wants no more games. Skips the good games of `known` and adds the others to
// it; faults are shown wherever they are.
bool VisitShard(const ShardReader& shard, Judging judging, const GameVisitor& visitor,
                KnownGames* known) {
  for (size_t i = 0; i < shard.size(); ++i) {
    const absl::StatusOr<GameId> id = shard.ReadId(i);
    const absl::StatusOr<GameRecord> game = shard.ReadGame(i, judging);
    if (id.ok() && game.ok() && !known->insert(id->bytes).second) continue;
    if (!visitor(shard.PlaceOf(i), game)) return false;
  }
  if (shard.tail() == ShardTail::kClean) return true;
  const char* const what = shard.tail() == ShardTail::kCut ? "the last game is not all there"
                                                           : "no game can be read from here on";
  return visitor(shard.path(), absl::DataLossError(absl::StrCat(shard.path(), ": byte ",
                                                                shard.valid_bytes(), ": ", what)));
}

// Of a folder that may be at work: a game that is just being moved from one file to another is in
// both (spool_folder.h), and a file that was there a moment ago may have been moved.
bool VisitShardFile(const std::string& path, Judging judging, const GameVisitor& visitor,
                    KnownGames* known) {
  const absl::StatusOr<ShardReader> shard = ShardReader::Open(path);
  if (absl::IsNotFound(shard.status())) return true;
  return shard.ok() ? VisitShard(*shard, judging, visitor, known) : visitor(path, shard.status());
}

void VisitCollection(const std::string& path, const GameCollection& collection,
                     const GameVisitor& visitor) {
  for (size_t i = 0; i < collection.games.size(); ++i) {
    if (!visitor(absl::StrCat(path, ": game ", i + 1), collection.games[i])) return;
  }
  if (collection.skipped == 0) return;
  visitor(path, absl::InvalidArgumentError(
                    absl::StrCat(collection.first_problem, " (one of ", collection.skipped,
                                 " games in the file that cannot be read)")));
}

}  // namespace

absl::Status VisitGames(const std::string& path, Judging judging, const GameVisitor& visitor) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    CHUHE_ASSIGN_OR_RETURN(const std::vector<std::string> shards, ShardsBelow(path));
    KnownGames known;
    for (const std::string& shard : shards) {
      if (!VisitShardFile(shard, judging, visitor, &known)) break;
    }
    return absl::OkStatus();
  }
  if (absl::EndsWith(path, ".games")) {
    CHUHE_ASSIGN_OR_RETURN(const ShardReader shard, ShardReader::Open(path));
    KnownGames known;
    VisitShard(shard, judging, visitor, &known);
    return absl::OkStatus();
  }
  const absl::string_view name = absl::StripSuffix(path, ".zst");
  if (absl::EndsWith(name, ".tsv")) {
    CHUHE_ASSIGN_OR_RETURN(const GameCollection collection, ReadGameTsv(path));
    VisitCollection(path, collection, visitor);
    return absl::OkStatus();
  }
  if (absl::EndsWithIgnoreCase(name, ".pgn")) {
    CHUHE_ASSIGN_OR_RETURN(const GameCollection collection, ReadPgnRecords(path));
    VisitCollection(path, collection, visitor);
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": expected a folder, or a file *.games, *.tsv or *.pgn"));
}

}  // namespace chuhe
