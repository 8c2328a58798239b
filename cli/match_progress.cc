#include "cli/match_progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "selfplay/match/match_text.h"

namespace chuhe {

MatchProgress::MatchProgress(const MatchOptions& options)
    : options_(options),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()) {}

std::string MatchProgress::GameLine(const PlayedGame& played) const {
  return absl::StrFormat("game %d: %s - %s %s (%s) %d plies", played.game.index + 1,
                         options_.engines[static_cast<size_t>(played.game.red)].name,
                         options_.engines[static_cast<size_t>(played.game.black)].name,
                         OutcomeText(played.result.outcome), played.result.reason,
                         played.result.plies.size());
}

std::string MatchProgress::RateText(size_t games, int scheduled) const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  const size_t done = games - games_before_;
  std::string text = absl::StrFormat("%d/%d games", games, scheduled);
  if (done == 0 || elapsed.count() <= 0) return text;
  const double rate = static_cast<double>(done) / elapsed.count();
  const auto left = static_cast<int64_t>(
      static_cast<double>(std::max<int64_t>(0, scheduled - static_cast<int64_t>(games))) / rate);
  return absl::StrFormat("%s, %.1f a minute, %d:%02d:%02d left", text, 60 * rate, left / 3600,
                         left / 60 % 60, left % 60);
}

void MatchProgress::Show(const std::vector<PlayedGame>& games, int scheduled) {
  if (!has_begun_) {
    has_begun_ = true;
    // The first call is with one game played here, or with those of the journal.
    if (games.size() > 1) games_before_ = games.size();
  }
  const std::string line =
      absl::StrCat(RateText(games.size(), scheduled), "  ", ProgressText(options_, games));
  if (is_terminal_) {
    std::cerr << "\r\x1b[K" << line << std::flush;
    has_line_ = true;
  } else {
    std::cerr << GameLine(games.back()) << "; " << line << "\n";
  }
}

void MatchProgress::Finish() {
  if (has_line_) std::cerr << "\n";
}

}  // namespace chuhe
