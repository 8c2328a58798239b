#include "selfplay/play/game_journal.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/play/journal_entry.h"
#include "selfplay/records/record_bytes.h"

namespace chuhe {
namespace {

constexpr absl::string_view kMagic = "chuhe journal 2\n";
constexpr absl::string_view kSuffix = ".journal";
constexpr size_t kLongBytes = size_t{16} << 20;

void AppendGame(const JournalGame& game, std::string* bytes) {
  // A game that we have played is one that can be encoded.
  const absl::StatusOr<std::string> record = EncodeGame(*game.record);
  if (!record.ok()) return;
  AppendEntry({.kind = JournalKind::kGame, .number = game.number, .record = *record}, bytes);
}

std::string WholeJournal(int64_t next_number, const std::vector<JournalGame>& games,
                         const std::map<int64_t, std::string>& finished) {
  std::string bytes(kMagic.data(), kMagic.size());
  AppendEntry({.kind = JournalKind::kNext, .number = next_number}, &bytes);
  for (const JournalGame& game : games) AppendGame(game, &bytes);
  for (const auto& [number, record] : finished) {
    AppendEntry({.kind = JournalKind::kFinished, .number = number, .record = record}, &bytes);
  }
  return bytes;
}

// What was read of journals so far.
struct Reading {
  JournalContent content;
  std::set<int64_t> stored;
};

absl::Status Use(const JournalEntry& entry, std::map<int64_t, GameRecord>* games,
                 Reading* reading) {
  JournalContent& content = reading->content;
  const int64_t next = entry.kind == JournalKind::kNext ? entry.number : entry.number + 1;
  content.next_number = std::max(content.next_number, next);
  switch (entry.kind) {
    case JournalKind::kNext:
      break;
    case JournalKind::kGame: {
      CHUHE_ASSIGN_OR_RETURN((*games)[entry.number], DecodeGame(entry.record));
      break;
    }
    case JournalKind::kPly: {
      const auto game = games->find(entry.number);
      if (game == games->end()) break;
      GameRecord& record = game->second;
      if (static_cast<int>(record.plies.size()) != entry.ply) break;
      record.plies.push_back(entry.played);
      record.evaluations = entry.evaluations;
      break;
    }
    case JournalKind::kFinished:
      games->erase(entry.number);
      content.finished[entry.number] = entry.record;
      break;
    case JournalKind::kStored:
      reading->stored.insert(entry.number);
      break;
  }
  return absl::OkStatus();
}

absl::Status ReadJournal(const std::string& path, Reading* reading) {
  CHUHE_ASSIGN_OR_RETURN(const FileDescriptor file, FileDescriptor::Open(path, O_RDONLY));
  CHUHE_ASSIGN_OR_RETURN(const uint64_t size, file.Size());
  CHUHE_ASSIGN_OR_RETURN(const std::string text, file.ReadAt(0, size));
  absl::string_view left = text;
  if (left.substr(0, kMagic.size()) != kMagic) {
    return absl::DataLossError(
        absl::StrCat(path, ": no journal of games, or one of another version"));
  }
  left.remove_prefix(kMagic.size());
  std::map<int64_t, GameRecord> games;
  while (const std::optional<JournalEntry> entry = TakeEntry(&left)) {
    const absl::Status status = Use(*entry, &games, reading);
    if (!status.ok()) {
      return absl::DataLossError(
          absl::StrCat(path, ": game ", entry->number, ": ", status.message()));
    }
  }
  for (auto& [number, record] : games) {
    // Plies come without a check of their own.
    const absl::Status status = EncodeGame(record).status();
    if (!status.ok()) {
      return absl::DataLossError(absl::StrCat(path, ": game ", number, ": ", status.message()));
    }
    GameRecord& known = reading->content.games[number];
    if (known.plies.size() <= record.plies.size()) known = std::move(record);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<GameJournal>> GameJournal::Create(const std::string& path,
                                                                 const JournalContent& content) {
  std::vector<JournalGame> games;
  for (const auto& [number, record] : content.games) games.push_back({number, &record});
  std::unique_ptr<GameJournal> journal(new GameJournal(path));
  const MutexLock lock(&journal->mutex_);
  journal->finished_ = content.finished;
  CHUHE_RETURN_IF_ERROR(
      journal->Replace(WholeJournal(content.next_number, games, content.finished)));
  return journal;
}

absl::Status GameJournal::Replace(absl::string_view bytes) {
  CHUHE_RETURN_IF_ERROR(WriteDurably(path_, path_ + ".part", bytes));
  CHUHE_ASSIGN_OR_RETURN(file_, FileDescriptor::Open(path_, O_WRONLY | O_APPEND));
  buffer_.clear();
  appended_ = 0;
  return absl::OkStatus();
}

void GameJournal::AddGame(const JournalGame& game) {
  const MutexLock lock(&mutex_);
  AppendGame(game, &buffer_);
}

void GameJournal::AddPly(int64_t number, int ply, const PlyRecord& played, int64_t evaluations) {
  const MutexLock lock(&mutex_);
  AppendPlyEntry(number, ply, played, evaluations, &buffer_);
}

void GameJournal::AddFinished(int64_t number, const std::string& record_bytes) {
  const MutexLock lock(&mutex_);
  finished_[number] = record_bytes;
  AppendEntry({.kind = JournalKind::kFinished, .number = number, .record = record_bytes}, &buffer_);
}

absl::Status GameJournal::FlushLocked() {
  if (buffer_.empty()) return absl::OkStatus();
  const absl::Status status = file_.Write(buffer_);
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat(path_, ": ", status.message()));
  }
  appended_ += buffer_.size();
  buffer_.clear();
  return absl::OkStatus();
}

absl::Status GameJournal::Flush() {
  const MutexLock lock(&mutex_);
  return FlushLocked();
}

absl::Status GameJournal::Sync() {
  const MutexLock lock(&mutex_);
  CHUHE_RETURN_IF_ERROR(FlushLocked());
  return file_.Sync();
}

absl::Status GameJournal::MarkStored(int64_t number) {
  const MutexLock lock(&mutex_);
  finished_.erase(number);
  AppendEntry({.kind = JournalKind::kStored, .number = number}, &buffer_);
  return FlushLocked();
}

bool GameJournal::is_long() const {
  const MutexLock lock(&mutex_);
  return appended_ > kLongBytes;
}

absl::Status GameJournal::Rewrite(int64_t next_number, const std::vector<JournalGame>& games) {
  const MutexLock lock(&mutex_);
  return Replace(WholeJournal(next_number, games, finished_));
}

absl::StatusOr<JournalFolder> JournalFolder::Open(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    return absl::UnavailableError(absl::StrCat("cannot create ", path, ": ", error.message()));
  }
  JournalFolder folder(path);
  CHUHE_ASSIGN_OR_RETURN(folder.lock_, FileDescriptor::Open(path + "/lock", O_RDWR | O_CREAT));
  if (flock(folder.lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": another process plays the games of this run"));
  }
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (!absl::EndsWith(name, kSuffix)) continue;
    int64_t generation = 0;
    if (absl::SimpleAtoi(absl::string_view(name).substr(0, name.find('-')), &generation)) {
      folder.generation_ = std::max(folder.generation_, generation + 1);
    }
    folder.files_.push_back(entry.path().string());
  }
  if (error) return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  std::sort(folder.files_.begin(), folder.files_.end());
  Reading reading;
  for (const std::string& file : folder.files_) CHUHE_RETURN_IF_ERROR(ReadJournal(file, &reading));
  // A crash while games were dealt out leaves some of them in two journals.
  for (const auto& [number, record] : reading.content.finished) reading.content.games.erase(number);
  for (const int64_t number : reading.stored) {
    reading.content.finished.erase(number);
    reading.content.games.erase(number);
  }
  folder.content_ = std::move(reading.content);
  return folder;
}

absl::StatusOr<std::vector<std::unique_ptr<GameJournal>>> JournalFolder::Deal(
    int workers, std::vector<JournalContent>* parts) {
  parts->assign(static_cast<size_t>(workers), {});
  size_t next = 0;
  for (const auto& [number, record] : content_.games) {
    (*parts)[next++ % parts->size()].games[number] = record;
  }
  parts->front().finished = content_.finished;
  std::vector<std::unique_ptr<GameJournal>> journals;
  for (size_t i = 0; i < parts->size(); ++i) {
    (*parts)[i].next_number = content_.next_number;
    CHUHE_ASSIGN_OR_RETURN(
        std::unique_ptr<GameJournal> journal,
        GameJournal::Create(absl::StrCat(path_, "/", generation_, "-", i, kSuffix), (*parts)[i]));
    journals.push_back(std::move(journal));
  }
  for (const std::string& file : files_) {
    std::error_code error;
    std::filesystem::remove(file, error);
    if (error) return absl::UnavailableError(absl::StrCat(file, ": ", error.message()));
  }
  CHUHE_RETURN_IF_ERROR(SyncFolder(path_));
  return journals;
}

}  // namespace chuhe
