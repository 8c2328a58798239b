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
    const uint16_t prior = QuantizePrior(priors[place]);
    if (const EdgeRef edge = node.edges().Find(moves[i])) {
      edge.prior() = prior;
    } else {
      node.set_prior(place, prior);
    }
  }
  node.FindNext(moves);
}

std::vector<Edge> TreeSearch::RootMoves() const {
  assert(has_root_evaluation());
  const Node& node = tree_.node(root_);
  MoveList legal;
  GenerateLegal(game_.position(), &legal);
  std::vector<Edge> moves(node.move_count);
  for (size_t i = 0; i < moves.size(); ++i) {
    moves[i].move = legal.moves[i];
    moves[i].prior = node.prior(i);
    if (moves[i].prior != 0) continue;
    moves[i] = node.edges().Find(legal.moves[i]).Load();
  }
  return moves;
}

std::vector<Edge> TreeSearch::RankedRootMoves() const {
  std::vector<Edge> moves;
  if (root_ == 0) return moves;
  for (const EdgeRef edge : tree_.node(root_).edges()) {
    if (IsAllowedAtRoot(edge.move())) moves.push_back(edge.Load());
  }
  std::stable_sort(moves.begin(), moves.end(), [&](const Edge& a, const Edge& b) {
    if (RankOfProof(a) != RankOfProof(b)) return RankOfProof(a) > RankOfProof(b);
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.value > b.value;
  });
  return moves;
}

std::vector<Move> TreeSearch::LineFrom(const Edge& edge) const {
  for (const std::vector<Move>& line : mate_lines_) {
    if (line.front() == edge.move) return line;
  }
  std::vector<Move> line{edge.move};
  const std::vector<Move> rest = LineBelow(edge.child);
  line.insert(line.end(), rest.begin(), rest.end());
  return line;
}

std::vector<Move> TreeSearch::LineBelow(BlockIndex index) const {
  std::vector<Move> line;
  const auto key = [](const Edge& e) { return std::pair(RankOfProof(e), e.visits); };
  while (index != 0) {
    EdgeRef best;
    for (const EdgeRef next : tree_.node(index).edges()) {
      if (!best || key(next.Load()) > key(best.Load())) best = next;
    }
    if (!best) break;
    line.push_back(best.move());
    index = best.child();
  }
  return line;
}

std::optional<TreeSearch::Known> TreeSearch::Find(const Game& game) const {
  if (!has_root_evaluation() || game.options().rules != game_.options().rules) return {};
  const Position start = game.PositionAt(0);
  Game past = game_;
  int ply = game_.plies();
  for (; past.position() != start; --ply) {
    if (ply == 0) return {};
    past.Unmake();
  }
  int next = 1;  // ply of the game that is asked for
  for (; ply < top_ply_; ++ply, ++next) {
    if (next > game.plies() || game.move(next) != game_.move(ply + 1)) return {};
  }
  const auto depth = static_cast<size_t>(ply - top_ply_);
  BlockIndex index = line_[depth];
  Edge edge = top_edge_;
  if (depth > 0) edge = tree_.node(line_[depth - 1]).edges().FindChild(index).Load();
  for (; next <= game.plies(); ++next) {
    if (index == 0) return {};
    const EdgeRef step = tree_.node(index).edges().Find(game.move(next));
    if (!step) return {};
    edge = step.Load();
    index = edge.child;
  }
  if (index == root_) edge = StoredRootEdge();
  if (edge.visits == 0) return {};
  if (index != root_) return Known{edge, LineBelow(index)};
  const std::vector<Edge> ranked = RankedRootMoves();
  return Known{edge, ranked.empty() ? std::vector<Move>() : LineFrom(ranked.front())};
}

}  // namespace chuhe
