// What is known about the moves at the root, and what a caller may change there.
#include <algorithm>
#include <cassert>

#include "engine/board/movegen.h"
#include "engine/search/tree_search.h"

namespace chuhe {
namespace {

// Certain wins first, the quickest before others; certain losses last, the slowest before others.
int RankOfProof(const Edge& edge) {
  if (edge.proof == Proof::kWin) return 1000 - edge.proof_plies();
  if (edge.proof == Proof::kLoss) return -1000 + edge.proof_plies();
  return 0;
}

}  // namespace

bool TreeSearch::IsAllowedAtRoot(Move move) const {
  return root_moves_.empty() ||
         std::find(root_moves_.begin(), root_moves_.end(), move) != root_moves_.end();
}

void TreeSearch::RestrictRoot(std::span<const Move> moves) {
  Drain();
  root_moves_.assign(moves.begin(), moves.end());
  plan_.reset();
  ForgetMates();
  root_edge_.proof = Proof::kNone;
  root_edge_.proof_bits = 0;
  if (has_root_evaluation()) ProveFromMoves(tree_.node(root_), /*is_root=*/true, &root_edge_);
}

void TreeSearch::SetRootPriors(std::span<const float> priors) {
  assert(has_root_evaluation());
  Node& node = tree_.node(root_);
  assert(priors.size() == node.move_count);
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  for (int i = 0; i < moves.size; ++i) {
    const auto place = static_cast<size_t>(i);
    const auto prior =
        static_cast<uint16_t>(std::clamp(priors[place] * 65535.0f + 0.5f, 1.0f, 65535.0f));
    const auto edges = node.edges();
    const auto edge =
        std::find_if(edges.begin(), edges.end(), [&](const Edge& e) { return e.move == moves[i]; });
    (edge != edges.end() ? edge->prior : node.priors()[place]) = prior;
  }
  node.FindNext();
}

std::vector<Edge> TreeSearch::RootMoves() const {
  assert(has_root_evaluation());
  const Node& node = tree_.node(root_);
  const auto edges = node.edges();
  MoveList legal;
  GenerateLegal(game_.position(), &legal);
  std::vector<Edge> moves(node.move_count);
  for (size_t i = 0; i < moves.size(); ++i) {
    moves[i].move = legal.moves[i];
    moves[i].prior = node.priors()[i];
    if (moves[i].prior != 0) continue;
    moves[i] = *std::find_if(edges.begin(), edges.end(),
                             [&](const Edge& edge) { return edge.move == legal.moves[i]; });
  }
  return moves;
}

std::vector<Edge> TreeSearch::RankedRootMoves() const {
  std::vector<Edge> moves;
  if (root_ == 0) return moves;
  for (const Edge& edge : tree_.node(root_).edges()) {
    if (IsAllowedAtRoot(edge.move)) moves.push_back(edge);
  }
  std::stable_sort(moves.begin(), moves.end(), [&](const Edge& a, const Edge& b) {
    if (RankOfProof(a) != RankOfProof(b)) return RankOfProof(a) > RankOfProof(b);
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.value > b.value;
  });
  return moves;
}

std::vector<Move> TreeSearch::LineFrom(const Edge& edge) const {
  const bool is_mate = edge.proof == Proof::kWin && !mate_line_.empty();
  if (is_mate && mate_line_.front() == edge.move) return mate_line_;
  std::vector<Move> line{edge.move};
  const auto key = [](const Edge& e) { return std::pair(RankOfProof(e), e.visits); };
  BlockIndex index = edge.child;
  while (index != 0) {
    const Edge* best = nullptr;
    for (const Edge& next : tree_.node(index).edges()) {
      if (best == nullptr || key(next) > key(*best)) best = &next;
    }
    if (best == nullptr) break;
    line.push_back(best->move);
    index = best->child;
  }
  return line;
}

}  // namespace chuhe
