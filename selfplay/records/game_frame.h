// A game record in a shard: a header that says how long it is and which game, then the record
// compressed with zstd.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/records/record_bytes.h"

namespace chuhe {

struct FrameHeader {
  static constexpr size_t kBytes = 32;

  uint32_t payload_size = 0;  // compressed
  uint32_t record_size = 0;
  GameId id;
  uint32_t payload_check = 0;  // the low half of the payload's XXH3-64

  std::array<char, kBytes> Pack() const;
  // Nothing where the header's own check fails or a size is beyond its limit.
  static std::optional<FrameHeader> Unpack(absl::string_view bytes);
};

struct GameFrame {
  FrameHeader header;
  std::string payload;
};

// `record_bytes` are at most kMaxRecordBytes.
GameFrame CompressGame(absl::string_view record_bytes);

// The record's bytes, which are those that the header names. Errors do not say where the frame is.
absl::StatusOr<std::string> DecompressGame(const GameFrame& frame);

}  // namespace chuhe
