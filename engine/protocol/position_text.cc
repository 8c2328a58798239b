#include "engine/protocol/position_text.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/perft.h"

namespace chuhe {
namespace {

// What is counted at a go takes less than a second.
constexpr int kPliesAtOnce = 5;

// Nothing when it was stopped.
std::optional<uint64_t> CountUntilStopped(Position& board, int depth,
                                          const std::function<bool()>& must_stop) {
  if (must_stop()) return std::nullopt;
  if (depth <= kPliesAtOnce) return Perft(board, depth, /*bulk=*/true);
  MoveList moves;
  GenerateLegal(board, &moves);
  uint64_t sum = 0;
  for (const Move move : moves) {
    const Undo undo = board.Make(move);
    const std::optional<uint64_t> count = CountUntilStopped(board, depth - 1, must_stop);
    board.Unmake(move, undo);
    if (!count) return std::nullopt;
    sum += *count;
  }
  return sum;
}

}  // namespace

std::string BoardLines(const Game& game) {
  const std::string fen = FormatFen(game.position(), game.no_capture_plies());
  std::string lines;
  int rank = kRanks - 1;
  const auto begin_rank = [&] { absl::StrAppend(&lines, rank, "  "); };
  begin_rank();
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == '/') {
      --rank;
      lines += '\n';
      begin_rank();
    } else if (c >= '1' && c <= '9') {
      for (int i = 0; i < c - '0'; ++i) lines += ". ";
    } else {
      lines += c;
      lines += ' ';
    }
  }
  absl::StrAppend(&lines, "\n   a b c d e f g h i\nFen: ", fen,
                  "\nKey: ", absl::Hex(game.position().key(), absl::kZeroPad16));
  return lines;
}

std::string PerftLines(const Position& position, int depth, RankBase squares,
                       const std::function<bool()>& must_stop) {
  Position board = position;
  MoveList moves;
  GenerateLegal(board, &moves);
  std::string lines;
  uint64_t sum = depth == 0 ? 1 : 0;
  for (int i = 0; depth > 0 && i < moves.size; ++i) {
    const Undo undo = board.Make(moves[i]);
    const std::optional<uint64_t> count = CountUntilStopped(board, depth - 1, must_stop);
    board.Unmake(moves[i], undo);
    if (!count) return lines + "\nstopped";
    sum += *count;
    absl::StrAppend(&lines, FormatUci(moves[i], squares), ": ", *count, "\n");
  }
  absl::StrAppend(&lines, lines.empty() ? "" : "\n", "Nodes searched: ", sum);
  return lines;
}

}  // namespace chuhe
