// Moves the games that were handed over into shards: each once, in order, the bad ones aside.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/records/record_bytes.h"
#include "selfplay/records/shard_writer.h"
#include "selfplay/store/spool_folder.h"

namespace chuhe {

// The moments of Ingest(), for tests that want to fail between them.
enum class IngestStep : uint8_t {
  kShardCreated,
  kAppended,       // a game is in its shard
  kSynced,         // the games of the pass are durable
  kRemoved,        // a file is gone from incoming/
  kReasonWritten,  // of a game for quarantine/
  kQuarantined,    // it is there
};

struct IngestOptions {
  uint64_t max_shard_bytes = uint64_t{64} << 20;
  int max_files_in_pass = 4096;  // then the rest waits for the next pass
  std::function<void(IngestStep)> at;
};

// What a pass did.
struct IngestReport {
  int ingested = 0;
  int duplicates = 0;
  int quarantined = 0;
  std::string first_problem;  // of the quarantined ones
};

// Owned by one thread. A game is in incoming/ until it is durable in a shard, and a game that is in
// a shard is not added again; so a kill at any instant loses none and doubles none.
class SpoolIngester {
 public:
  // Reads the names of all games of all shards (16 bytes of memory each). An error if another
  // ingester holds the folder, or if a shard cannot be read. A shard that is damaged is left as it
  // is: the next one begins behind what can be read of it.
  static absl::StatusOr<std::unique_ptr<SpoolIngester>> Open(const std::string& games_folder,
                                                             const IngestOptions& options = {});

  // One pass over what has come in, oldest first. Blocks for as long as that takes. After an error
  // the next pass takes up what is left; but where syncing failed nobody knows what is on the disk,
  // and only a new ingester finds out.
  absl::StatusOr<IngestReport> Ingest();

  // How many games are in shards, and the number of the next one.
  uint64_t games() const { return next_game_; }
  bool Contains(const GameId& id) const { return known_.contains(id.bytes); }

 private:
  SpoolIngester(SpoolPaths paths, FileDescriptor lock, const IngestOptions& options)
      : paths_(std::move(paths)), lock_(std::move(lock)), options_(options) {}
  absl::Status ReadShards();
  // A whole file of incoming/.
  absl::Status IngestFile(const std::string& path, IngestReport* report);
  absl::Status IngestGame(const GameFrame& frame, IngestReport* report);
  absl::Status Quarantine(const std::string& name, absl::string_view shard_bytes,
                          const absl::Status& reason, IngestReport* report);
  absl::Status OpenShard();
  absl::Status SyncShard();
  void Reached(IngestStep step) const {
    if (options_.at) options_.at(step);
  }

  const SpoolPaths paths_;
  const FileDescriptor lock_;
  const IngestOptions options_;
  absl::flat_hash_set<std::array<uint8_t, 16>> known_;
  std::optional<ShardWriter> shard_;
  uint64_t next_game_ = 0;
  absl::Status sync_error_;
};

}  // namespace chuhe
