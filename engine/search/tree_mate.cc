// The search for mates beside the tree: how much it may do, and what becomes of a mate that it
// finds.
#include <algorithm>

#include "engine/board/movegen.h"
#include "engine/search/tree_search.h"

namespace chuhe {
namespace {

// Fewer steps at a time are not worth the call. About what a mate in one takes.
constexpr int64_t kMateSlice = 64;

}  // namespace

void TreeSearch::ForgetMates() {
  has_mate_root_ = false;
  mate_line_.clear();
}

void TreeSearch::SeekMates() {
  if (options_.mate_steps <= 0 || root_edge_.proof != Proof::kNone || !has_root_evaluation()) {
    return;
  }
  if (has_mate_root_ && mates_.mate_in() == 0 &&
      (mates_.is_done() || mates_.excluded() >= options_.mate_moves)) {
    return;
  }
  // The first slice is a gift: a mate in one is seen at once.
  const int64_t visits = has_mate_root_ ? visits_ - mate_visits_ : 0;
  const int64_t steps = has_mate_root_ ? mates_.steps() : 0;
  const int64_t earned = kMateSlice + visits * options_.mate_steps - steps;
  if (earned >= kMateSlice) RunMateSearch(earned);
}

void TreeSearch::RunMateSearch(int64_t steps) {
  if (!has_mate_root_) {
    mates_.SetRoot(game_, root_moves_);
    has_mate_root_ = true;
    mate_visits_ = visits_;
  }
  mates_.Run(steps);
  if (mates_.mate_in() > 0) NoteMate();
}

void TreeSearch::NoteMate() {
  const Move move = mates_.line().front();
  const auto edges = tree_.node(root_).edges();
  const auto found =
      std::find_if(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.move == move; });
  Edge* edge = found == edges.end() ? nullptr : &*found;
  if (edge == nullptr) {
    MoveList moves;
    GenerateLegal(game_.position(), &moves);
    const auto place = std::find(moves.begin(), moves.end(), move) - moves.begin();
    edge = AddEdge(&root_, static_cast<int>(place), move);
    if (edge == nullptr) return;  // no room now: later
    if (plan_.has_value()) NotePlannedEdge(static_cast<size_t>(place));
  }
  SetProof(edge, Proof::kWin, 2 * mates_.mate_in() - 1, 0);
  mate_line_ = mates_.line();
  ProveFromMoves(tree_.node(root_), /*is_root=*/true, &root_edge_);
  if (edge->visits > 0) return;
  // Whoever chooses by visits shall find one there.
  ++edge->in_flight;
  ++root_edge_.in_flight;
  path_ = {edge};
  BackUp(edge->value, edge->draw, edge->plies_left);
}

bool TreeSearch::MayHaveShorterWin(int most_moves) const {
  const bool is_won = root_edge_.proof == Proof::kLoss;  // of who moved there
  if (!is_won || options_.mate_steps <= 0) return false;
  if (has_mate_root_ && mates_.is_done()) return false;
  const int next = (has_mate_root_ ? mates_.excluded() : 0) + 1;
  return next <= most_moves && 2 * next < root_edge_.proof_plies();
}

void TreeSearch::SeekShorterWin(int64_t steps) {
  if (MayHaveShorterWin()) RunMateSearch(steps);
}

}  // namespace chuhe
