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
  next_defence_ = 0;
  is_at_defence_ = false;
  mate_lines_.clear();
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
  EdgeRef edge = tree_.node(root_).edges().Find(move);
  if (!edge) {
    MoveList moves;
    GenerateLegal(game_.position(), &moves);
    const auto place = std::find(moves.begin(), moves.end(), move) - moves.begin();
    edge = AddEdge(&root_, static_cast<int>(place), move, moves);
    if (!edge) return;  // no room now: later
    if (plan_.has_value()) NotePlannedEdge(static_cast<size_t>(place));
  }
  Edge won = edge.Load();
  SetProof(&won, Proof::kWin, 2 * mates_.mate_in() - 1, 0);
  edge.Store(won);
  mate_lines_ = {mates_.line()};
  ProveFromMoves(tree_.node(root_), /*is_root=*/true, &root_edge_);
  if (won.visits > 0) return;
  // Whoever chooses by visits shall find one there.
  ++edge.in_flight();
  ++root_edge_.in_flight;
  path_ = {edge};
  BackUp(won.value, won.draw, won.plies_left);
}

bool TreeSearch::MayBeShorter(const Edge& defence) const {
  const bool is_mate = defence.proof == Proof::kLoss && (defence.proof_bits & Edge::kByRule) == 0;
  return is_mate && defence.proof_plies() > 2;
}

bool TreeSearch::MayHaveShorterMate(int most_moves) const {
  if (root_edge_.proof == Proof::kNone || !has_root_evaluation() || options_.mate_steps <= 0) {
    return false;
  }
  if (root_edge_.proof == Proof::kLoss) {  // of who moved there
    if (has_mate_root_ && mates_.is_done()) return false;
    const int next = (has_mate_root_ ? mates_.excluded() : 0) + 1;
    return next <= most_moves && 2 * next < root_edge_.proof_plies();
  }
  if (root_edge_.proof == Proof::kDraw) return false;
  const EdgeList edges = tree_.node(root_).edges();
  for (size_t place = next_defence_; place < edges.size(); ++place) {
    if (MayBeShorter(edges[place].Load())) return true;
  }
  return false;
}

void TreeSearch::SeekShorterMate(int64_t steps, int most_moves) {
  if (!MayHaveShorterMate(most_moves)) return;
  if (root_edge_.proof == Proof::kLoss) {
    RunMateSearch(steps);
  } else {
    SeekShorterLoss(steps, most_moves);
  }
}

void TreeSearch::SeekShorterLoss(int64_t steps, int most_moves) {
  const EdgeList edges = tree_.node(root_).edges();
  has_mate_root_ = false;  // it looks elsewhere
  for (; next_defence_ < edges.size(); ++next_defence_, is_at_defence_ = false) {
    Edge edge = edges[next_defence_].Load();
    if (!MayBeShorter(edge)) continue;
    if (!is_at_defence_) {
      Game after = game_;
      after.Make(edge.move);
      mates_.SetRoot(after);
      is_at_defence_ = true;
    }
    const int known = edge.proof_plies() / 2;
    const int enough = std::min(known - 1, most_moves);
    while (!mates_.is_done() && mates_.excluded() < enough) {
      if (steps <= 0) return;
      mates_.Run(kMateSlice);
      steps -= kMateSlice;
    }
    if (mates_.mate_in() == 0 || mates_.mate_in() > known) continue;
    SetProof(&edge, Proof::kLoss, 2 * mates_.mate_in(), 0);
    edges[next_defence_].Store(edge);
    std::vector<Move>& line = mate_lines_.emplace_back(mates_.line());
    line.insert(line.begin(), edge.move);
  }
  ProveFromMoves(tree_.node(root_), /*is_root=*/true, &root_edge_);
}

}  // namespace chuhe
