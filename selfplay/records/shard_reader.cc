#include "selfplay/records/shard_reader.h"

#include <fcntl.h>
#include <xxhash.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

constexpr absl::string_view kMagic = "CHUHESHD";
constexpr uint64_t kVersion = 1;
constexpr size_t kCheckedBytes = kShardHeaderBytes - 8;

void AppendNumber(uint64_t value, std::string* bytes) {
  for (int i = 0; i < 8; ++i) bytes->push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t NumberAt(absl::string_view bytes, size_t offset) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
  }
  return value;
}

absl::StatusOr<uint64_t> FirstGameOf(absl::string_view header) {
  if (header.size() < kShardHeaderBytes || header.substr(0, kMagic.size()) != kMagic) {
    return absl::DataLossError(
        absl::StrCat("not a file of game records, which begin with '", kMagic, "'"));
  }
  if (NumberAt(header, kCheckedBytes) != XXH3_64bits(header.data(), kCheckedBytes)) {
    return absl::DataLossError("the header does not fit its checksum");
  }
  if (const uint64_t version = NumberAt(header, 8); version != kVersion) {
    return absl::UnimplementedError(
        absl::StrCat("game records of version ", version, ", expected ", kVersion));
  }
  return NumberAt(header, 16);
}

absl::Status WithPlace(absl::string_view place, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(place, ": ", status.message()));
}

}  // namespace

std::string PackShardHeader(uint64_t first_game) {
  std::string header(kMagic);
  AppendNumber(kVersion, &header);
  AppendNumber(first_game, &header);
  AppendNumber(XXH3_64bits(header.data(), header.size()), &header);
  return header;
}

absl::StatusOr<ShardReader> ShardReader::Open(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(FileDescriptor file, FileDescriptor::Open(path, O_RDONLY));
  absl::StatusOr<std::string> header = file.ReadAt(0, kShardHeaderBytes);
  if (!header.ok()) return WithPlace(path, header.status());
  const absl::StatusOr<uint64_t> first_game = FirstGameOf(*header);
  if (!first_game.ok()) return WithPlace(path, first_game.status());
  ShardReader reader(path, std::move(file), *first_game);
  CHUHE_RETURN_IF_ERROR(reader.Refresh());
  return reader;
}

absl::Status ShardReader::Refresh() {
  const absl::StatusOr<uint64_t> size = file_.Size();
  if (!size.ok()) return WithPlace(path_, size.status());
  tail_ = ShardTail::kClean;
  while (valid_bytes_ < *size) {
    const absl::StatusOr<std::string> bytes = file_.ReadAt(valid_bytes_, FrameHeader::kBytes);
    if (!bytes.ok()) return WithPlace(path_, bytes.status());
    const std::optional<FrameHeader> header = FrameHeader::Unpack(*bytes);
    const bool is_short = bytes->size() < FrameHeader::kBytes;
    const uint64_t end =
        valid_bytes_ + FrameHeader::kBytes + (header ? header->payload_size : uint64_t{0});
    if (is_short || !header || end > *size) {
      tail_ = is_short || header ? ShardTail::kCut : ShardTail::kDamaged;
      break;
    }
    places_.push_back(valid_bytes_);
    valid_bytes_ = end;
  }
  return absl::OkStatus();
}

std::string ShardReader::PlaceOf(size_t index) const {
  return absl::StrCat(path_, ": game ", index + 1, " (byte ", places_[index], ")");
}

absl::StatusOr<FrameHeader> ShardReader::ReadHeader(size_t index) const {
  const absl::StatusOr<std::string> bytes = file_.ReadAt(places_[index], FrameHeader::kBytes);
  if (!bytes.ok()) return WithPlace(PlaceOf(index), bytes.status());
  const std::optional<FrameHeader> header = FrameHeader::Unpack(*bytes);
  if (!header) return absl::DataLossError(absl::StrCat(PlaceOf(index), ": has changed"));
  return *header;
}

absl::StatusOr<GameId> ShardReader::ReadId(size_t index) const {
  CHUHE_ASSIGN_OR_RETURN(const FrameHeader header, ReadHeader(index));
  return header.id;
}

absl::StatusOr<GameFrame> ShardReader::ReadFrame(size_t index) const {
  GameFrame frame;
  CHUHE_ASSIGN_OR_RETURN(frame.header, ReadHeader(index));
  absl::StatusOr<std::string> payload =
      file_.ReadAt(places_[index] + FrameHeader::kBytes, frame.header.payload_size);
  if (!payload.ok()) return WithPlace(PlaceOf(index), payload.status());
  frame.payload = *std::move(payload);
  return frame;
}

absl::StatusOr<std::string> ShardReader::ReadBytes(size_t index) const {
  CHUHE_ASSIGN_OR_RETURN(const GameFrame frame, ReadFrame(index));
  absl::StatusOr<std::string> bytes = DecompressGame(frame);
  if (!bytes.ok()) return WithPlace(PlaceOf(index), bytes.status());
  return bytes;
}

absl::StatusOr<GameRecord> ShardReader::ReadGame(size_t index, Judging judging) const {
  CHUHE_ASSIGN_OR_RETURN(const std::string bytes, ReadBytes(index));
  absl::StatusOr<GameRecord> game = DecodeGame(bytes, judging);
  if (!game.ok()) return WithPlace(PlaceOf(index), game.status());
  return game;
}

}  // namespace chuhe
