#include "selfplay/records/game_frame.h"

#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cassert>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace chuhe {
namespace {

// Records are too short for higher ones to make them smaller.
constexpr int kCompressionLevel = 3;
constexpr size_t kCheckedBytes = FrameHeader::kBytes - 4;

uint32_t CheckOf(absl::string_view bytes) {
  return static_cast<uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

void Store(uint32_t value, char* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
}

uint32_t Load(const char* bytes) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

}  // namespace

std::array<char, FrameHeader::kBytes> FrameHeader::Pack() const {
  std::array<char, kBytes> bytes;
  Store(payload_size, bytes.data());
  Store(record_size, bytes.data() + 4);
  std::copy(id.bytes.begin(), id.bytes.end(), bytes.begin() + 8);
  Store(payload_check, bytes.data() + 24);
  Store(CheckOf({bytes.data(), kCheckedBytes}), bytes.data() + kCheckedBytes);
  return bytes;
}

std::optional<FrameHeader> FrameHeader::Unpack(absl::string_view bytes) {
  if (bytes.size() < kBytes) return std::nullopt;
  if (Load(bytes.data() + kCheckedBytes) != CheckOf(bytes.substr(0, kCheckedBytes))) {
    return std::nullopt;
  }
  FrameHeader header;
  header.payload_size = Load(bytes.data());
  header.record_size = Load(bytes.data() + 4);
  std::copy_n(bytes.begin() + 8, header.id.bytes.size(), header.id.bytes.begin());
  header.payload_check = Load(bytes.data() + 24);
  if (header.record_size > kMaxRecordBytes) return std::nullopt;
  if (header.payload_size > ZSTD_compressBound(kMaxRecordBytes)) return std::nullopt;
  return header;
}

GameFrame CompressGame(absl::string_view record_bytes) {
  assert(record_bytes.size() <= kMaxRecordBytes);
  GameFrame frame;
  frame.payload.resize(ZSTD_compressBound(record_bytes.size()));
  const size_t size = ZSTD_compress(frame.payload.data(), frame.payload.size(), record_bytes.data(),
                                    record_bytes.size(), kCompressionLevel);
  assert(ZSTD_isError(size) == 0);
  frame.payload.resize(size);
  frame.header = {.payload_size = static_cast<uint32_t>(size),
                  .record_size = static_cast<uint32_t>(record_bytes.size()),
                  .id = IdOf(record_bytes),
                  .payload_check = CheckOf(frame.payload)};
  return frame;
}

absl::StatusOr<std::string> DecompressGame(const GameFrame& frame) {
  if (CheckOf(frame.payload) != frame.header.payload_check) {
    return absl::DataLossError("the compressed game does not fit its checksum");
  }
  std::string record(frame.header.record_size, '\0');
  const size_t size =
      ZSTD_decompress(record.data(), record.size(), frame.payload.data(), frame.payload.size());
  if (ZSTD_isError(size) != 0) {
    return absl::DataLossError(absl::StrCat("not valid zstd data: ", ZSTD_getErrorName(size)));
  }
  if (size != record.size() || IdOf(record) != frame.header.id) {
    return absl::DataLossError("the game is another one than its header says");
  }
  return record;
}

}  // namespace chuhe
