// Reads shards: files of many games, one frame after the other (docs/formats.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/records/file_descriptor.h"
#include "selfplay/records/game_frame.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

inline constexpr size_t kShardHeaderBytes = 32;

// What a shard begins with: its magic, its version and the number of its first game.
std::string PackShardHeader(uint64_t first_game);

// How a shard goes on behind its last whole game.
enum class ShardTail : uint8_t {
  kClean,
  kCut,      // a game that is not all there: being written, or a writer was killed
  kDamaged,  // bytes that are no game; what may follow them is out of reach
};

// Any game of a shard by its index. Keeps the place of each game (8 bytes), not the games. Reading
// is thread-safe, Refresh() apart.
class ShardReader {
 public:
  // Looks at the header of each game, not at the games. An error if the file cannot be read or does
  // not begin as a shard does.
  static absl::StatusOr<ShardReader> Open(const std::string& path);

  // Finds games that were appended since.
  absl::Status Refresh();

  const std::string& path() const { return path_; }
  uint64_t first_game() const { return first_game_; }
  size_t size() const { return places_.size(); }
  // Of the whole games and what is in front of them.
  uint64_t valid_bytes() const { return valid_bytes_; }
  ShardTail tail() const { return tail_; }

  // Errors name the file and the game.
  absl::StatusOr<GameId> ReadId(size_t index) const;
  absl::StatusOr<GameFrame> ReadFrame(size_t index) const;
  absl::StatusOr<std::string> ReadBytes(size_t index) const;
  absl::StatusOr<GameRecord> ReadGame(size_t index, Judging judging = Judging::kTrust) const;

  // `PATH: game 3 (byte 1234)`.
  std::string PlaceOf(size_t index) const;

 private:
  ShardReader(std::string path, FileDescriptor file, uint64_t first_game)
      : path_(std::move(path)), file_(std::move(file)), first_game_(first_game) {}
  absl::StatusOr<FrameHeader> ReadHeader(size_t index) const;

  std::string path_;
  FileDescriptor file_;
  uint64_t first_game_ = 0;
  std::vector<uint64_t> places_;
  uint64_t valid_bytes_ = kShardHeaderBytes;
  ShardTail tail_ = ShardTail::kClean;
};

}  // namespace chuhe
