#include "engine/search/alphabeta_tree.h"

#include <algorithm>
#include <cassert>

#include "engine/search/alphabeta_eval.h"

namespace chuhe {
namespace {

// Asking the signal is cheap, asking the clock is not.
constexpr int64_t kNodesPerSignal = 64;

// Null moves: with fewer attackers than this, having to move may be a disadvantage.
constexpr int kAttackersToPass = 2;
constexpr int kDepthToPass = 2;

constexpr int kDepthToReduce = 3;
constexpr int kMovesBeforeReduction = 4;

int CountAttackers(const Position& position) {
  const Color us = position.side_to_move();
  return position.count(us, PieceType::kRook) + position.count(us, PieceType::kKnight) +
         position.count(us, PieceType::kCannon);
}

}  // namespace

AlphaBetaTree::AlphaBetaTree(SearchPath* path, TranspositionTable* table, MoveOrder* order,
                             SearchClock* clock, int64_t node_limit)
    : path_(*path), table_(*table), order_(*order), clock_(*clock), node_limit_(node_limit) {}

void AlphaBetaTree::BeginIteration(int depth, bool is_patient) {
  iteration_depth_ = depth;
  is_patient_ = is_patient;
  selective_depth_ = 0;
}

bool AlphaBetaTree::EnterNode() {
  frame().line_length = 0;
  frame().since = Ruling::kIndependent;
  if (is_stopped_) return false;
  if (node_limit_ > 0 && nodes_ >= node_limit_) {
    is_stopped_ = true;
    return false;
  }
  ++nodes_;
  selective_depth_ = std::max(selective_depth_, path_.ply());
  if (nodes_ % kNodesPerSignal == 0 && !is_patient_ && clock_.MustStop()) is_stopped_ = true;
  return !is_stopped_;
}

void AlphaBetaTree::TakeLine(Move move) {
  Frame& own = frame();
  const Frame& child = child_frame();
  own.line[0] = move;
  std::copy_n(child.line.begin(), child.line_length, own.line.begin() + 1);
  own.line_length = child.line_length + 1;
}

int AlphaBetaTree::RulingScore(const Ruling& ruling) {
  frame().since = ruling.since;
  return ruling.result * (kRuleWin - path_.ply());
}

int AlphaBetaTree::FromTable(int score) const {
  if (!IsDecisiveScore(score)) return score;
  return score > 0 ? score - path_.ply() : score + path_.ply();
}

int AlphaBetaTree::ToTable(int score) const {
  if (!IsDecisiveScore(score)) return score;
  return score > 0 ? score + path_.ply() : score - path_.ply();
}

void AlphaBetaTree::Store(int score, Bound bound, int depth, Move move) {
  if (frames_[path_.ply()].since < path_.ply()) return;
  table_.Store(path_.position().key(), {move, ToTable(score), depth, bound});
}

int AlphaBetaTree::SearchRootMove(Move move, int alpha, int beta, bool is_first) {
  frames_[0].since = Ruling::kIndependent;
  const Node root{alpha, beta, iteration_depth_, Move()};
  const int score = SearchChild(move, root, alpha, is_first ? 0 : 1, /*is_quiet=*/false);
  if (!is_stopped_) TakeLine(move);
  return score;
}

int AlphaBetaTree::Search(int alpha, int beta, int depth, bool may_pass) {
  if (depth <= 0) return Quiesce(alpha, beta, /*with_checks=*/true);
  if (!EnterNode()) return 0;
  const Ruling ruling = path_.Judge();
  if (ruling.is_decided) return RulingScore(ruling);
  const int ply = path_.ply();
  if (ply >= kMaxPly) return Evaluate(path_.position());
  alpha = std::max(alpha, -kMate + ply);
  beta = std::min(beta, kMate - ply - 1);
  if (alpha >= beta) return alpha;

  const bool is_pv = beta - alpha > 1;
  Node node{alpha, beta, depth, Move()};
  if (const auto entry = table_.Find(path_.position().key())) {
    node.table_move = entry->move;
    const int score = FromTable(entry->score);
    const bool cuts = entry->bound == Bound::kExact ||
                      (entry->bound == Bound::kLower && score >= beta) ||
                      (entry->bound == Bound::kUpper && score <= alpha);
    if (cuts && !is_pv && entry->depth >= depth && !ruling.has_recurred && !path_.is_near_limit()) {
      return score;
    }
  }
  int score = 0;
  if (may_pass && !is_pv && !path_.in_check() && CutsByPassing(beta, depth, &score)) return score;
  return SearchMoves(node);
}

bool AlphaBetaTree::CutsByPassing(int beta, int depth, int* score) {
  const Position& position = path_.position();
  if (depth < kDepthToPass || IsDecisiveScore(beta) ||
      CountAttackers(position) < kAttackersToPass || Evaluate(position) < beta) {
    return false;
  }
  path_.Pass();
  *score = -Search(-beta, -beta + 1, depth - 3 - depth / 4, /*may_pass=*/false);
  path_.Unmake();
  if (is_stopped_) return true;
  if (*score < beta) return false;
  // What passing allows is no proof of a decision.
  if (IsDecisiveScore(*score)) *score = beta;
  frame().since = child_frame().since;
  return true;
}

int AlphaBetaTree::Reduction(Move move, const Node& node, int index, bool gives_check) const {
  if (node.depth < kDepthToReduce || index < kMovesBeforeReduction || gives_check ||
      order_.IsKiller(move, path_.ply() - 1)) {
    return 0;
  }
  const bool is_pv = node.beta - node.alpha > 1;
  int reduction = 1 + (index >= 12 ? 1 : 0) + (node.depth >= 7 ? 1 : 0) - (is_pv ? 1 : 0);
  if (order_.History(Opponent(path_.position().side_to_move()), move) > 4096) --reduction;
  return std::clamp(reduction, 0, node.depth - 2);
}

// Searches the move with the index-th place in the order, and returns to the node.
int AlphaBetaTree::SearchChild(Move move, const Node& node, int alpha, int index, bool is_quiet) {
  const bool was_in_check = path_.in_check();
  path_.Make(move);
  const bool gives_check = path_.in_check();
  const bool extends = gives_check && path_.ply() < 2 * iteration_depth_;
  const int depth = node.depth - 1 + (extends ? 1 : 0);
  const bool is_pv = node.beta - node.alpha > 1;
  int score = alpha + 1;
  if (index > 0) {
    const int reduction = is_quiet && !was_in_check ? Reduction(move, node, index, gives_check) : 0;
    score = -Search(-alpha - 1, -alpha, depth - reduction, /*may_pass=*/true);
    if (reduction > 0 && score > alpha && !is_stopped_) {
      score = -Search(-alpha - 1, -alpha, depth, /*may_pass=*/true);
    }
  }
  if (index == 0 || (is_pv && score > alpha && score < node.beta && !is_stopped_)) {
    score = -Search(-node.beta, -alpha, depth, /*may_pass=*/true);
  }
  path_.Unmake();
  return score;
}

int AlphaBetaTree::SearchMoves(const Node& node) {
  const Position& position = path_.position();
  const Color us = position.side_to_move();
  ScoredMoves moves;
  GenerateLegal(position, &moves.list);
  if (moves.list.size == 0) return -kMate + path_.ply();
  order_.Score(position, node.table_move, path_.ply(), &moves);

  int alpha = node.alpha;
  int best = -kInfiniteScore;
  Move best_move;
  int since = Ruling::kIndependent;
  for (int i = 0; i < moves.list.size; ++i) {
    const Move move = moves.TakeBest(i);
    const bool is_quiet = position.is_empty(move.to());
    const int score = SearchChild(move, node, alpha, i, is_quiet);
    if (is_stopped_) return 0;
    since = std::min(since, child_frame().since);
    if (score <= best) continue;
    best = score;
    if (score <= alpha) continue;
    best_move = move;
    alpha = score;
    TakeLine(move);
    if (score < node.beta) continue;
    // The cut-off rests on this move alone.
    since = child_frame().since;
    if (is_quiet) {
      order_.Reward(us, move, path_.ply(), node.depth);
      for (int j = 0; j < i; ++j) {
        if (position.is_empty(moves.list[j].to())) order_.Punish(us, moves.list[j], node.depth);
      }
    }
    break;
  }
  frame().since = since;
  const Bound bound = best >= node.beta   ? Bound::kLower
                      : best > node.alpha ? Bound::kExact
                                          : Bound::kUpper;
  Store(best, bound, node.depth, best_move);
  return best;
}

}  // namespace chuhe
