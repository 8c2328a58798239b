// The games of a match that are not over, turn by turn, beside the match's journal: a match that is
// stopped or killed goes on in the middle of its games.
//
// A game needs no line here once it is in the journal, so the file stays short. Turns are not
// synced to the disk one by one; a machine that fails may cost the last ones, which are then played
// again.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/match/turn.h"

namespace chuhe {

// Thread-safe. The journal's lock keeps other processes away.
class GamesUnderWay {
 public:
  // Reads the turns of the match whose journal has this mark; those of another one are thrown away,
  // and so is all behind a line that is damaged or does not follow from those before. Errors: a
  // file that cannot be read.
  static absl::StatusOr<GamesUnderWay> Open(const std::string& path, const std::string& mark);
  GamesUnderWay(GamesUnderWay&& other) noexcept;
  GamesUnderWay& operator=(GamesUnderWay&& other) = delete;
  ~GamesUnderWay();

  // Of a game that was under way when Open() read the file.
  std::vector<Turn> TurnsOf(int game) const;
  size_t size() const;  // games

  // The next turn of a game. Blocks until it is written, not until it is on the disk.
  absl::Status Add(int game, const Turn& turn);
  // The game is over and in the journal.
  absl::Status Remove(int game);
  // Blocks until all turns are on the disk.
  absl::Status Sync();
  // The match is over.
  void DeleteFile();

 private:
  explicit GamesUnderWay(std::string path, std::string header)
      : path_(std::move(path)), header_(std::move(header)) {}
  void Read(absl::string_view text);
  // Writes the file anew, with what is in lines_.
  absl::Status Rewrite();

  const std::string path_;
  const std::string header_;  // a line
  mutable std::mutex mutex_;  // guards what follows
  int fd_ = -1;
  size_t written_ = 0;                             // bytes behind the header
  std::map<int, std::vector<std::string>> lines_;  // by game, one a turn
};

}  // namespace chuhe
