// What a running match shows on standard error: on a terminal a table that is drawn again in its
// place, elsewhere a line for each game.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "selfplay/match/match.h"
#include "selfplay/match/sprt_run.h"

namespace chuhe {

// Thread-safe.
class MatchProgress {
 public:
  // The options and the match must outlive it.
  MatchProgress(const MatchOptions& options, const Match* match);
  ~MatchProgress() { Finish(); }
  MatchProgress(const MatchProgress&) = delete;
  MatchProgress& operator=(const MatchProgress&) = delete;

  // All games so far, the last one just ended, of so many that are known to be played.
  void Show(const std::vector<PlayedGame>& games, int scheduled);
  // Nothing is shown any more.
  void Finish();

 private:
  // The state of the sequential test, which counts pairs in the order of the schedule: of games
  // played side by side the last ones may not count yet.
  std::optional<SprtState> TestAfter(const std::vector<PlayedGame>& games);
  std::string GameLine(const PlayedGame& played) const;
  std::string RateText(size_t games, int scheduled) const;
  void Tick();
  void Draw();

  const MatchOptions& options_;
  const Match* match_;
  const bool is_terminal_;
  const std::chrono::steady_clock::time_point begin_;

  std::mutex mutex_;         // guards what follows
  size_t games_before_ = 0;  // from the journal
  bool has_begun_ = false;
  std::optional<SprtRun> sprt_;
  size_t tested_ = 0;  // games that it has
  size_t games_ = 0;
  int scheduled_ = 0;
  std::vector<std::string> table_;
  std::chrono::steady_clock::time_point table_made_;
  int drawn_lines_ = 0;
  bool is_finished_ = false;
  std::condition_variable finished_;
  std::jthread ticker_;  // on a terminal
};

}  // namespace chuhe
