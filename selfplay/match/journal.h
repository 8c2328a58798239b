// The diary of a match: each finished game is on the disk before it counts, so that a match that is
// killed goes on where it was.
//
// Checked lines of JSON (checked_line.h): first what match this is, then one for each game.
// A last line that is not whole was being written when the match was killed, and is cut off.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/match/played_game.h"

namespace chuhe {

// Owned by one thread.
class Journal {
 public:
  // Opens or begins the journal of the match with this identity and reads the games in it. Blocks
  // until what it writes is on the disk. Errors: a journal of another match, one that another
  // process has open, a damaged line (file and line are named), no such folder.
  static absl::StatusOr<Journal> Open(const std::string& path, const std::string& identity);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&& other) = delete;
  ~Journal();

  const std::vector<PlayedGame>& games() const { return games_; }  // as read by Open()
  // A number drawn when the journal was begun: by it other files know that they belong to it.
  const std::string& mark() const { return mark_; }
  // Blocks until the game is on the disk.
  absl::Status Append(const PlayedGame& game);

 private:
  Journal(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  absl::Status ReadAll(const std::string& match);
  absl::Status ReadLine(absl::string_view text, int line, const std::string& identity);
  absl::Status WriteLine(absl::string_view text);

  std::string path_;
  int fd_;
  std::string mark_;
  std::vector<PlayedGame> games_;
};

}  // namespace chuhe
