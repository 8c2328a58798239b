// What a running match shows on standard error: on a terminal a line that is written again and
// again, elsewhere a line for each game.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "selfplay/match/match.h"

namespace chuhe {

// Called by one thread at a time. The options must outlive it.
class MatchProgress {
 public:
  explicit MatchProgress(const MatchOptions& options);

  // All games so far, the last one just ended, of so many that are known to be played.
  void Show(const std::vector<PlayedGame>& games, int scheduled);
  void Finish();

 private:
  std::string GameLine(const PlayedGame& played) const;
  std::string RateText(size_t games, int scheduled) const;

  const MatchOptions& options_;
  const bool is_terminal_;
  const std::chrono::steady_clock::time_point begin_;
  size_t games_before_ = 0;  // from the journal
  bool has_begun_ = false;
  bool has_line_ = false;
};

}  // namespace chuhe
