// The quiescence part of AlphaBetaTree: where the depth is used up, only what is forcing is looked
// at, so that the evaluation is asked about quiet positions.
#include <algorithm>
#include <array>

#include "engine/board/attacks.h"
#include "engine/board/tables.h"
#include "engine/search/alphabeta_eval.h"
#include "engine/search/alphabeta_tree.h"

namespace chuhe {
namespace {

// A capture that cannot lift the score to alpha with this much besides is not tried.
constexpr int kDeltaMargin = 200;

// In quiescence quiet checks come after all captures.
constexpr int kOrderOfChecks = -1;

constexpr auto kDiagonalSteps = [] {
  std::array<Bitboard, kSquares> steps{};
  for (int s = 0; s < kSquares; ++s) {
    for (const int file_step : {-1, 1}) {
      for (const int rank_step : {-1, 1}) {
        const int file = s % kFiles + file_step;
        const int rank = s / kFiles + rank_step;
        if (file < 0 || file >= kFiles || rank < 0 || rank >= kRanks) continue;
        steps[s] |= Bitboard::Of(MakeSquare(file, rank));
      }
    }
  }
  return steps;
}();

// Whether the quiet move gives check. The board is left as it was.
bool GivesCheck(Position* board, Move move) {
  const Square king = board->king_square(Opponent(board->side_to_move()));
  const Point at = kPoints[king];
  const auto is_on_line = [at](Square square) {
    return kPoints[square].file == at.file || kPoints[square].rank == at.rank;
  };
  // Along lines a man may come, go out of the way or become a screen; a knight comes, or somebody
  // leaves its leg, which is a diagonal step from the king.
  if (!is_on_line(move.to()) && !is_on_line(move.from()) &&
      kTables.knight_leg[move.to()][king] == kNoSquare &&
      !kDiagonalSteps[king].contains(move.from())) {
    return false;
  }
  const Undo undo = board->Make(move);
  const bool gives_check = InCheck(*board);
  board->Unmake(move, undo);
  return gives_check;
}

}  // namespace

int AlphaBetaTree::KeepNoisyMoves(int standing, int alpha, bool with_checks,
                                  ScoredMoves* moves) const {
  const Position& position = path_.position();
  Position board = position;
  int best = standing;
  int kept = 0;
  for (const Move move : moves->list) {
    int order = kOrderOfChecks;
    if (!position.is_empty(move.to())) {
      const int gain = CaptureGain(position, move);
      if (gain < 0) continue;
      if (const int hoped = standing + gain + kDeltaMargin; hoped <= alpha) {
        best = std::max(best, hoped);
        continue;
      }
      order = 16 * gain - ClassicValue(position, position.unit_at(move.from())) / 10;
    } else if (!with_checks || !GivesCheck(&board, move)) {
      continue;
    }
    moves->scores[kept] = order;
    moves->list.moves[kept++] = move;
  }
  moves->list.size = kept;
  return best;
}

int AlphaBetaTree::Quiesce(int alpha, int beta, bool with_checks) {
  if (!EnterNode()) return 0;
  const Ruling ruling = path_.Judge();
  if (ruling.is_decided) return RulingScore(ruling);
  const Position& position = path_.position();
  const int ply = path_.ply();
  const bool in_check = path_.in_check();
  int best = -kInfiniteScore;
  if (!in_check) {
    best = Evaluate(position);
    if (best >= beta && HasLegalMove(position)) return best;
  }
  ScoredMoves moves;
  GenerateLegal(position, &moves.list);
  if (moves.list.size == 0) return -kMate + ply;
  if (ply >= kMaxPly) return Evaluate(position);

  if (in_check) {
    order_.Score(position, Move(), ply, &moves);
  } else {
    best = KeepNoisyMoves(best, alpha, with_checks, &moves);
  }
  alpha = std::max(alpha, best);
  int since = Ruling::kIndependent;
  for (int i = 0; i < moves.list.size; ++i) {
    const Move move = moves.TakeBest(i);
    path_.Make(move);
    const int score = -Quiesce(-beta, -alpha, /*with_checks=*/false);
    path_.Unmake();
    if (is_stopped_) return 0;
    since = std::min(since, child_frame().since);
    if (score <= best) continue;
    best = score;
    if (score <= alpha) continue;
    alpha = score;
    TakeLine(move);
    if (score < beta) continue;
    since = child_frame().since;
    break;
  }
  frame().since = since;
  return best;
}

}  // namespace chuhe
