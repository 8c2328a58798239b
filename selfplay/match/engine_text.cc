#include "selfplay/match/engine_text.h"

#include <algorithm>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"

namespace chuhe {
namespace {

bool IsNoMove(absl::string_view word) {
  const std::string lower = absl::AsciiStrToLower(word);
  return lower == "(none)" || lower == "none" || lower == "0000" || lower == "null" ||
         lower == "a0a0";
}

}  // namespace

std::vector<absl::string_view> WordsOf(absl::string_view line) {
  return absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
}

bool NumberAfter(const std::vector<absl::string_view>& words, absl::string_view word,
                 int64_t* number) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found != words.end() && found + 1 != words.end() && absl::SimpleAtoi(*(found + 1), number);
}

void ReadInfo(const std::vector<absl::string_view>& words, MoveAnswer* answer) {
  int64_t number = 0;
  if (NumberAfter(words, "nodes", &number)) answer->nodes = number;
  if (NumberAfter(words, "time", &number)) answer->reported_ms = number;
  int64_t score = 0;
  const bool is_mate = NumberAfter(words, "mate", &score);
  if (!is_mate && !NumberAfter(words, "cp", &score) && !NumberAfter(words, "score", &score)) return;
  constexpr int64_t kLargest = 1'000'000;
  answer->score = Score{.centipawns = static_cast<int>(std::clamp(score, -kLargest, kLargest))};
  if (is_mate) {
    answer->score = Score{.centipawns = score > 0 ? 30000 : -30000,
                          .mate_in = static_cast<int>(std::clamp(score, -kLargest, kLargest))};
  }
  if (NumberAfter(words, "depth", &number)) {
    answer->depth = static_cast<int>(std::clamp<int64_t>(number, 0, 1000));
  }
}

bool IsInfo(const char* line, size_t size) {
  return size > 5 && line[0] == 'i' && line[1] == 'n' && line[2] == 'f' && line[3] == 'o' &&
         line[4] == ' ';
}

bool LastInfo::Take(absl::string_view line) {
  if (!IsInfo(line.data(), line.size())) return false;
  const size_t score = line.find(" score ");
  if (score == absl::string_view::npos || absl::StartsWith(line, "info string") ||
      absl::StartsWith(line, "info message")) {
    return true;
  }
  // The number of the variation stands in front of its score.
  const size_t multipv = line.substr(0, score).find(" multipv ");
  if (multipv == absl::string_view::npos || absl::StartsWith(line.substr(multipv), " multipv 1 ")) {
    line_.assign(line.data(), line.size());
  }
  return true;
}

void LastInfo::Read(MoveAnswer* answer) const {
  if (!line_.empty()) ReadInfo(WordsOf(line_), answer);
}

bool ReadBestMove(const std::vector<absl::string_view>& words, RankBase squares,
                  MoveAnswer* answer) {
  if (words.empty()) return false;
  if (words[0] == "nobestmove") {
    answer->kind = AnswerKind::kNoMove;
    return true;
  }
  if (words[0] != "bestmove") return false;
  for (size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "resign") {
      answer->kind = AnswerKind::kResign;
      return true;
    }
    if (words[i] == "draw") answer->offers_draw = true;
  }
  if (words.size() < 2 || IsNoMove(words[1])) {
    answer->kind = AnswerKind::kNoMove;
    return true;
  }
  const std::optional<Move> move = ParseUci({words[1].data(), words[1].size()}, squares);
  answer->kind = move.has_value() ? AnswerKind::kMove : AnswerKind::kUnreadable;
  if (move.has_value()) answer->move = *move;
  answer->detail = Printable(words[1]);
  return true;
}

std::string MovesText(const Game& game, int first, RankBase squares) {
  if (game.plies() <= first) return "";
  std::string text = " moves";
  for (int ply = first + 1; ply <= game.plies(); ++ply) {
    text.push_back(' ');
    AppendUci(game.move(ply), squares, &text);
  }
  return text;
}

std::string FenText(const Game& game, int ply) {
  const int halfmove = ply == 0 ? game.options().no_capture_plies : 0;
  return FormatFen(game.PositionAt(ply), halfmove, 1 + ply / 2);
}

std::string Printable(absl::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (c < ' ' || c > '~') c = '?';
  }
  return printable;
}

}  // namespace chuhe
