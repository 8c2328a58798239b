#include "selfplay/records/shard_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/records/shard_reader.h"

namespace chuhe {
namespace {

absl::Status WithPath(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

}  // namespace

absl::StatusOr<ShardWriter> ShardWriter::Create(const std::string& path, uint64_t first_game) {
  if (access(path.c_str(), F_OK) == 0) {
    return absl::AlreadyExistsError(absl::StrCat(path, ": exists already"));
  }
  const std::string header = PackShardHeader(first_game);
  CHUHE_RETURN_IF_ERROR(WriteDurably(path, path + ".new", header));
  return Append(path);
}

absl::StatusOr<ShardWriter> ShardWriter::Append(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(const ShardReader reader, ShardReader::Open(path));
  if (reader.tail() == ShardTail::kDamaged) {
    return absl::DataLossError(absl::StrCat(path, ": damaged behind its first ", reader.size(),
                                            " games, at byte ", reader.valid_bytes()));
  }
  CHUHE_ASSIGN_OR_RETURN(FileDescriptor file, FileDescriptor::Open(path, O_WRONLY | O_APPEND));
  ShardWriter writer(path, std::move(file), reader.first_game());
  writer.games_ = reader.size();
  writer.bytes_ = reader.valid_bytes();
  const absl::Status status = writer.file_.Truncate(writer.bytes_);
  if (!status.ok()) return WithPath(path, status);
  return writer;
}

absl::Status ShardWriter::Add(const GameFrame& frame) {
  const std::array<char, FrameHeader::kBytes> header = frame.header.Pack();
  const std::string bytes =
      absl::StrCat(absl::string_view(header.data(), header.size()), frame.payload);
  const absl::Status status = file_.Write(bytes);
  if (!status.ok()) {
    // What was written of it must not stand between this game and the next one.
    file_.Truncate(bytes_).IgnoreError();
    return WithPath(path_, status);
  }
  ++games_;
  bytes_ += bytes.size();
  return absl::OkStatus();
}

absl::Status ShardWriter::Sync() {
  const absl::Status status = file_.Sync();
  return status.ok() ? status : WithPath(path_, status);
}

std::string OneGameShard(absl::string_view record_bytes) {
  const GameFrame frame = CompressGame(record_bytes);
  const std::array<char, FrameHeader::kBytes> header = frame.header.Pack();
  return absl::StrCat(PackShardHeader(0), absl::string_view(header.data(), header.size()),
                      frame.payload);
}

}  // namespace chuhe
