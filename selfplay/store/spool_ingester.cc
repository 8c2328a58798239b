#include "selfplay/store/spool_ingester.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/records/shard_reader.h"

namespace chuhe {
namespace {

namespace fs = std::filesystem;

struct IncomingFile {
  fs::file_time_type time;
  std::string path;

  friend auto operator<=>(const IncomingFile&, const IncomingFile&) = default;
};

// The whole files of the folder, oldest first.
absl::StatusOr<std::vector<IncomingFile>> ListIncoming(const std::string& folder) {
  std::vector<IncomingFile> files;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string path = entry->path().string();
    if (!absl::EndsWith(path, ".games")) continue;
    std::error_code is_gone;
    const fs::file_time_type time = fs::last_write_time(path, is_gone);
    if (!is_gone) files.push_back({time, path});
  }
  if (error) {
    return absl::UnavailableError(absl::StrCat(folder, ": cannot be read: ", error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

absl::Status Remove(const std::string& path) {
  if (unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return SystemError(absl::StrCat(path, ": cannot be removed"));
}

std::string ShardOf(const GameFrame& frame) {
  const std::array<char, FrameHeader::kBytes> header = frame.header.Pack();
  return absl::StrCat(PackShardHeader(0), absl::string_view(header.data(), header.size()),
                      frame.payload);
}

// What killed writers left; one that is at work needs no such time.
void RemoveStaleParts(const std::string& folder) {
  const fs::file_time_type limit = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const bool is_part = absl::EndsWith(entry->path().string(), ".part");
    if (!is_part || fs::last_write_time(entry->path(), ignored) > limit) continue;
    if (!ignored) fs::remove(entry->path(), ignored);
  }
}

// A file of another's that is no shard at all may be as large as it likes.
constexpr size_t kMaxKeptBytes = size_t{16} << 20;

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(kMaxKeptBytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SpoolIngester>> SpoolIngester::Open(const std::string& games_folder,
                                                                   const IngestOptions& options) {
  SpoolPaths paths(games_folder);
  CHUHE_RETURN_IF_ERROR(paths.Create());
  CHUHE_ASSIGN_OR_RETURN(FileDescriptor lock,
                         FileDescriptor::Open(paths.shards + "/lock", O_RDWR | O_CREAT));
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(paths.shards, ": another ingester is at work here"));
  }
  std::unique_ptr<SpoolIngester> ingester(
      new SpoolIngester(std::move(paths), std::move(lock), options));
  CHUHE_RETURN_IF_ERROR(ingester->ReadShards());
  RemoveStaleParts(ingester->paths_.incoming);
  return ingester;
}

absl::Status SpoolIngester::ReadShards() {
  CHUHE_ASSIGN_OR_RETURN(const std::vector<std::string> paths, ListShards(paths_.shards));
  for (const std::string& path : paths) {
    CHUHE_ASSIGN_OR_RETURN(const ShardReader reader, ShardReader::Open(path));
    for (size_t i = 0; i < reader.size(); ++i) {
      CHUHE_ASSIGN_OR_RETURN(const GameId id, reader.ReadId(i));
      known_.insert(id.bytes);
    }
    const bool is_damaged = reader.tail() == ShardTail::kDamaged;
    // The number of a game that cannot be read is not given to another one.
    const uint64_t numbers = reader.size() + (is_damaged ? 1 : 0);
    next_game_ = std::max(next_game_, reader.first_game() + numbers);
    if (path == paths.back() && !is_damaged) {
      CHUHE_ASSIGN_OR_RETURN(shard_, ShardWriter::Append(path));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<IngestReport> SpoolIngester::Ingest() {
  CHUHE_RETURN_IF_ERROR(sync_error_);
  IngestReport report;
  CHUHE_ASSIGN_OR_RETURN(std::vector<IncomingFile> files, ListIncoming(paths_.incoming));
  const size_t most = static_cast<size_t>(options_.max_files_in_pass);
  if (files.size() > most) files.resize(most);
  for (const IncomingFile& file : files) {
    CHUHE_RETURN_IF_ERROR(IngestFile(file.path, &report));
  }
  if (files.empty()) return report;
  CHUHE_RETURN_IF_ERROR(SyncShard());
  Reached(IngestStep::kSynced);
  for (const IncomingFile& file : files) {
    CHUHE_RETURN_IF_ERROR(Remove(file.path));
    Reached(IngestStep::kRemoved);
  }
  return report;
}

absl::Status SpoolIngester::IngestFile(const std::string& path, IngestReport* report) {
  const std::string name = fs::path(path).stem().string();
  const absl::StatusOr<ShardReader> reader = ShardReader::Open(path);
  if (absl::IsNotFound(reader.status())) return absl::OkStatus();  // somebody took it back
  if (absl::IsUnavailable(reader.status())) return reader.status();
  if (!reader.ok()) return Quarantine(name, BytesOf(path), reader.status(), report);
  for (size_t i = 0; i < reader->size(); ++i) {
    CHUHE_ASSIGN_OR_RETURN(const GameFrame frame, reader->ReadFrame(i));
    CHUHE_RETURN_IF_ERROR(IngestGame(frame, report));
  }
  if (reader->tail() == ShardTail::kClean && reader->size() > 0) return absl::OkStatus();
  const absl::Status reason = absl::DataLossError(
      absl::StrCat(path, ": no game can be read from byte ", reader->valid_bytes(), " on"));
  return Quarantine(name, BytesOf(path), reason, report);
}

absl::Status SpoolIngester::IngestGame(const GameFrame& frame, IngestReport* report) {
  if (known_.contains(frame.header.id.bytes)) {
    ++report->duplicates;
    return absl::OkStatus();
  }
  absl::Status status;
  const absl::StatusOr<std::string> bytes = DecompressGame(frame);
  if (!bytes.ok()) status = bytes.status();
  if (status.ok()) status = DecodeGame(*bytes, Judging::kRejudge).status();
  if (!status.ok()) {
    return Quarantine(frame.header.id.Hex(), ShardOf(frame), status, report);
  }
  CHUHE_RETURN_IF_ERROR(OpenShard());
  CHUHE_RETURN_IF_ERROR(shard_->Add(frame));
  known_.insert(frame.header.id.bytes);
  ++next_game_;
  ++report->ingested;
  Reached(IngestStep::kAppended);
  return absl::OkStatus();
}

absl::Status SpoolIngester::SyncShard() {
  if (shard_) sync_error_ = shard_->Sync();
  return sync_error_;
}

absl::Status SpoolIngester::OpenShard() {
  if (shard_ && shard_->bytes() < options_.max_shard_bytes) return absl::OkStatus();
  CHUHE_RETURN_IF_ERROR(SyncShard());
  CHUHE_ASSIGN_OR_RETURN(shard_, ShardWriter::Create(paths_.ShardPath(next_game_), next_game_));
  Reached(IngestStep::kShardCreated);
  return absl::OkStatus();
}

absl::Status SpoolIngester::Quarantine(const std::string& name, absl::string_view shard_bytes,
                                       const absl::Status& reason, IngestReport* report) {
  const std::string path = absl::StrCat(paths_.quarantine, "/", name);
  const std::string text = absl::StrCat(reason.message(), "\n");
  CHUHE_RETURN_IF_ERROR(WriteDurably(path + ".reason", path + ".reason.part", text));
  Reached(IngestStep::kReasonWritten);
  CHUHE_RETURN_IF_ERROR(WriteDurably(path + ".games", path + ".games.part", shard_bytes));
  Reached(IngestStep::kQuarantined);
  if (report->quarantined++ == 0) report->first_problem = std::string(reason.message());
  return absl::OkStatus();
}

}  // namespace chuhe
