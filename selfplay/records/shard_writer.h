// Writes shards, game by game.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/records/file_descriptor.h"
#include "selfplay/records/game_frame.h"

namespace chuhe {

// Owned by one thread; one writer a file.
class ShardWriter {
 public:
  // A new shard; an error if the file exists. It is there with its header, durably, or not at all.
  static absl::StatusOr<ShardWriter> Create(const std::string& path, uint64_t first_game);
  // Goes on with a shard. A game that is not all there at its end is cut off; a damaged end is an
  // error, since games may lie behind it.
  static absl::StatusOr<ShardWriter> Append(const std::string& path);

  // Hands the game to the system, behind all others. An error leaves the file as it was, or with a
  // part of the game at its end.
  absl::Status Add(const GameFrame& frame);
  // Blocks until all games would outlive a loss of power.
  absl::Status Sync();

  const std::string& path() const { return path_; }
  uint64_t first_game() const { return first_game_; }
  uint64_t games() const { return games_; }
  uint64_t bytes() const { return bytes_; }

 private:
  ShardWriter(std::string path, FileDescriptor file, uint64_t first_game)
      : path_(std::move(path)), file_(std::move(file)), first_game_(first_game) {}

  std::string path_;
  FileDescriptor file_;
  uint64_t first_game_ = 0;
  uint64_t games_ = 0;
  uint64_t bytes_ = 0;
};

// A whole shard of one game in memory: what a worker hands over.
std::string OneGameShard(absl::string_view record_bytes);

}  // namespace chuhe
