// The journal of a worker's games under way, so that a killed worker goes on where it was.
//
// An append-only file of checked entries (journal_entry.h); what is behind the first entry that is
// not whole does not count. Entries are handed to the system after each batch, so that a kill of
// the process loses nothing that was played before; after a loss of power games may be resumed
// some plies earlier. A finished game stays in the journal until the store has it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/mutex.h"
#include "selfplay/records/file_descriptor.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

// What journals say, by the number of the game.
struct JournalContent {
  int64_t next_number = 0;                  // no game had this number or a higher one
  std::map<int64_t, GameRecord> games;      // under way
  std::map<int64_t, std::string> finished;  // records that the store may not have
};

// A game that waits or is under way, by reference.
struct JournalGame {
  int64_t number = 0;
  const GameRecord* record = nullptr;
};

// Thread-safe; but the games are added by their worker alone.
class GameJournal {
 public:
  // A new file in place of any other. Durable when this returns.
  static absl::StatusOr<std::unique_ptr<GameJournal>> Create(const std::string& path,
                                                             const JournalContent& content);

  // These are kept in memory until Flush().
  void AddGame(const JournalGame& game);
  // `evaluations` are those of the game so far.
  void AddPly(int64_t number, int ply, const PlyRecord& played, int64_t evaluations);
  void AddFinished(int64_t number, const std::string& record_bytes);
  absl::Status Flush();
  // Flush, and wait until a loss of power loses nothing either.
  absl::Status Sync();
  // The store has the game.
  absl::Status MarkStored(int64_t number);

  // Whether the file has grown so much that it should be written anew.
  bool is_long() const;
  // Writes the file anew with these games and the finished ones that are not stored.
  absl::Status Rewrite(int64_t next_number, const std::vector<JournalGame>& games);

 private:
  explicit GameJournal(std::string path) : path_(std::move(path)) {}
  absl::Status FlushLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Replace(absl::string_view bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string path_;
  mutable Mutex mutex_;
  FileDescriptor file_ ABSL_GUARDED_BY(mutex_);
  std::string buffer_ ABSL_GUARDED_BY(mutex_);
  size_t appended_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, std::string> finished_ ABSL_GUARDED_BY(mutex_);
};

// The journals of one run in one folder: `GENERATION-WORKER.journal`. Owned by one thread; held by
// one process at a time.
class JournalFolder {
 public:
  // Makes the folder if it is missing and reads all journals in it. Errors name the file: a folder
  // that another process holds, a journal of another version, a game with an illegal move.
  static absl::StatusOr<JournalFolder> Open(const std::string& path);

  const JournalContent& content() const { return content_; }
  // New journals for that many workers, dealing out the games in order, the finished ones to the
  // first. The old ones are removed then. parts[i] gets what worker i has to go on with.
  absl::StatusOr<std::vector<std::unique_ptr<GameJournal>>> Deal(
      int workers, std::vector<JournalContent>* parts);

 private:
  explicit JournalFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
  FileDescriptor lock_;
  JournalContent content_;
  int64_t generation_ = 0;
  std::vector<std::string> files_;
};

}  // namespace chuhe
