#include "cli/match_progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "selfplay/match/live_table.h"
#include "selfplay/match/match_text.h"

namespace chuhe {
namespace {

using std::chrono::steady_clock;

struct TerminalSize {
  size_t columns = 80;
  size_t rows = 24;
};

TerminalSize SizeOfTerminal() {
  TerminalSize size;
  winsize window = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 && window.ws_row > 0) {
    size = {window.ws_col, window.ws_row};
  }
  return size;
}

// What of the text fits; a character of several bytes is not cut.
std::string Fitting(const std::string& text, size_t columns) {
  if (text.size() <= columns) return text;
  size_t end = columns;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

MatchProgress::MatchProgress(const MatchOptions& options, const Match* match)
    : options_(options),
      match_(match),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      begin_(steady_clock::now()) {
  if (options.sprt.has_value()) sprt_.emplace(*options.sprt);
  if (is_terminal_) ticker_ = std::jthread([this] { Tick(); });
}

std::optional<SprtState> MatchProgress::TestAfter(const std::vector<PlayedGame>& games) {
  if (!sprt_.has_value()) return std::nullopt;
  while (tested_ < games.size()) sprt_->Add(games[tested_++]);
  return sprt_->state();
}

std::string MatchProgress::GameLine(const PlayedGame& played) const {
  return absl::StrFormat("game %d: %s - %s %s (%s) %d plies", played.game.index + 1,
                         options_.engines[static_cast<size_t>(played.game.red)].name,
                         options_.engines[static_cast<size_t>(played.game.black)].name,
                         OutcomeText(played.result.outcome), played.result.reason,
                         played.result.plies.size());
}

std::string MatchProgress::RateText(size_t games, int scheduled) const {
  const std::chrono::duration<double> elapsed = steady_clock::now() - begin_;
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
  constexpr auto kShortestPause = std::chrono::milliseconds(100);
  const std::lock_guard lock(mutex_);
  if (is_finished_) return;
  if (!has_begun_) {
    has_begun_ = true;
    // The first call is with one game played here, or with those of the journal.
    if (games.size() > 1) games_before_ = games.size();
  }
  // A new round of the schedule is no news by itself.
  const bool has_news = games_ != games.size();
  games_ = games.size();
  scheduled_ = scheduled;
  // Short games end faster than anybody reads, and the whole table is made of all games.
  const steady_clock::time_point now = steady_clock::now();
  const bool is_due = table_made_ == steady_clock::time_point() ||
                      now - table_made_ >= kShortestPause || scheduled == static_cast<int>(games_);
  if (!is_terminal_) {
    if (!has_news) return;
    std::cerr << GameLine(games.back()) << "; " << RateText(games.size(), scheduled);
    if (is_due) std::cerr << "  " << ProgressText(options_, games, TestAfter(games));
    std::cerr << "\n";
    if (is_due) table_made_ = now;
    return;
  }
  if (!is_due) return;
  table_made_ = now;
  constexpr size_t kOtherLines = 8;
  const size_t rows = SizeOfTerminal().rows;
  table_ =
      LiveTable(options_, games, TestAfter(games), rows > kOtherLines + 2 ? rows - kOtherLines : 2);
  Draw();
}

void MatchProgress::Tick() {
  constexpr auto kPause = std::chrono::seconds(1);
  std::unique_lock lock(mutex_);
  while (!finished_.wait_for(lock, kPause, [this] { return is_finished_; })) Draw();
}

void MatchProgress::Draw() {
  const TerminalSize size = SizeOfTerminal();
  const std::vector<std::string> under_way = UnderWayTexts(options_, match_->UnderWay());
  std::vector<std::string> lines = table_;
  constexpr size_t kMostShown = 4;
  for (size_t i = 0; i < std::min(kMostShown, under_way.size()); ++i) lines.push_back(under_way[i]);
  lines.push_back(absl::StrCat(RateText(games_, scheduled_), ", ", under_way.size(), " under way"));
  std::string text = "\r";
  if (drawn_lines_ > 0) absl::StrAppendFormat(&text, "\x1b[%dA", drawn_lines_);
  // Each line replaces what stood there; what was below is gone.
  for (const std::string& line : lines) {
    absl::StrAppend(&text, Fitting(line, size.columns - 1), "\x1b[K\n");
  }
  text += "\x1b[J";
  drawn_lines_ = static_cast<int>(lines.size());
  std::cerr << text << std::flush;
}

void MatchProgress::Finish() {
  {
    const std::lock_guard lock(mutex_);
    if (is_finished_) return;
    is_finished_ = true;
    if (drawn_lines_ > 0) Draw();
  }
  finished_.notify_all();
}

}  // namespace chuhe
