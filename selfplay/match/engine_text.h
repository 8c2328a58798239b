// What UCI and UCCI have in common from the GUI's side: words of a line, `info`, `bestmove`.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/rules/game.h"
#include "engine/rules/notation/coordinates.h"
#include "selfplay/match/player.h"

namespace chuhe {

// Cut at runs of blanks.
std::vector<absl::string_view> WordsOf(absl::string_view line);

// Reads the number behind a word of the line; false where there is none.
bool NumberAfter(const std::vector<absl::string_view>& words, absl::string_view word,
                 int64_t* number);

// Takes depth, nodes, time and score from an `info` line. A score may stand behind `cp` or `mate`,
// or bare as in UCCI.
void ReadInfo(const std::vector<absl::string_view>& words, MoveAnswer* answer);

// Whether a line, given without its end, is an `info` line. (ChildProcess::CanWait)
bool IsInfo(const char* line, size_t size);

// Keeps the last line that tells the score of the best variation. Engines print hundreds of lines a
// move, and only this one is worth reading.
class LastInfo {
 public:
  void Clear() { line_.clear(); }
  // False: not an `info` line.
  bool Take(absl::string_view line);
  // Into the answer that they led to.
  void Read(MoveAnswer* answer) const;

 private:
  std::string line_;
};

// Reads `bestmove …` and `nobestmove` into the answer: the move, `(none)`, the words draw and
// resign. False: the line is neither.
bool ReadBestMove(const std::vector<absl::string_view>& words, RankBase squares,
                  MoveAnswer* answer);

// ` moves h2e2 h9g7`, those after `first` plies; empty if there are none.
std::string MovesText(const Game& game, int first, RankBase squares);

// A FEN of the position after `ply` plies, which must be the start or come after a capture.
std::string FenText(const Game& game, int ply);

// Text of an engine that can stand in any file of ours: ASCII, `?` for whatever else there was.
std::string Printable(absl::string_view text);

}  // namespace chuhe
