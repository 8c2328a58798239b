// What of a tree is kept: from one root to the next, forward in the game, back again, and across
// games that GUIs start anew at the last capture; and when its memory is full.
#include <algorithm>
#include <cassert>

#include "engine/search/tree_search.h"

namespace chuhe {
namespace {

// The ply of `game` at which `start` stands without a past, so that nothing before it matters; −1
// if there is none.
int PlyOfStart(const Game& game, const Game& other) {
  const uint64_t start = other.KeyAt(0);
  for (int ply = game.plies(); ply >= 0; --ply) {
    if (ply > 0 && !game.was_capture(ply)) continue;
    if (game.KeyAt(ply) == start && game.PositionAt(ply) == other.PositionAt(0)) return ply;
  }
  return -1;
}

}  // namespace

void TreeSearch::SetRoot(const Game& game) {
  Drain();
  assert(under_way_count_ == 0);
  LeaveRoot();
  root_moves_.clear();
  plan_.reset();
  ForgetMates();
  const bool is_found = root_ != 0 && FollowToRoot(game);
  if (!is_found) Clear();
  game_ = game;
  root_side_ = game_.position().side_to_move();
  if (!is_found) return;
  ReopenTwofolds();
  ProveRootAnew();
}

void TreeSearch::Advance(Move move) {
  Drain();
  assert(under_way_count_ == 0);
  root_moves_.clear();
  plan_.reset();
  ForgetMates();
  BlockIndex next = 0;
  if (root_ != 0) {
    const EdgeRef edge = tree_.node(root_).edges().Find(move);
    if (edge && edge.child() != 0) {
      next = edge.child();
      root_edge_ = edge.Load();
    }
  }
  if (next == 0) Clear();
  game_.Make(move);
  root_side_ = game_.position().side_to_move();
  if (next == 0) return;
  root_ = next;
  line_.push_back(next);
  DropLineAbove(line_.size() - 1);
  top_ply_ = game_.plies();
  ReopenTwofolds();
  ProveRootAnew();
}

// What is certain at a root has to follow from its moves, as one of them is to be played. A mate
// that was found beside the tree is known to the edge that led here alone.
void TreeSearch::ProveRootAnew() {
  if (root_edge_.proof == Proof::kNone || !has_root_evaluation()) return;
  const Node& node = tree_.node(root_);
  root_edge_.proof = Proof::kNone;
  root_edge_.proof_bits = 0;
  if (ProveFromMoves(node, /*is_root=*/true, &root_edge_)) return;
  // The statistics are those of the proof, too.
  float visits = 1;
  float value = node.value;
  float draw = 0;
  for (const EdgeRef edge : node.edges()) {
    const auto weight = static_cast<float>(edge.visits());
    visits += weight;
    value += weight * edge.value();
    draw += weight * edge.draw();
  }
  root_edge_.value = -value / visits;
  root_edge_.draw = draw / visits;
}

Edge TreeSearch::StoredRootEdge() const {
  Edge edge = root_edge_;
  if (!root_moves_.empty()) {
    edge.proof = Proof::kNone;  // held for the allowed moves alone
    edge.proof_bits = 0;
  }
  return edge;
}

// The statistics of the root go back to the edge from which they were taken.
void TreeSearch::LeaveRoot() {
  if (root_ == 0) return;
  EdgeRef edge;
  if (line_.size() > 1) edge = tree_.node(line_[line_.size() - 2]).edges().FindChild(root_);
  const Edge kept = edge ? edge.Load() : top_edge_;
  Edge left = StoredRootEdge();
  left.child = kept.child;
  left.prior = kept.prior;
  left.move = kept.move;
  if (edge) {
    edge.Store(left);
  } else {
    top_edge_ = left;
  }
}

bool TreeSearch::FollowToRoot(const Game& game) {
  if (game.options().rules != game_.options().rules) return false;
  const int offset = PlyOfStart(game_, game);
  if (offset < 0) return false;
  // Both games must have gone the same way up to the top of the tree…
  for (int ply = offset + 1; ply <= top_ply_; ++ply) {
    if (ply - offset > game.plies() || game.move(ply - offset) != game_.move(ply)) return false;
  }
  // …and from there the tree must know the way: as far as the games have gone the same, that of the
  // old root.
  std::vector<BlockIndex> line{line_.front()};
  Edge incoming = top_edge_;
  const int first_new_ply = std::max(top_ply_ - offset, 0) + 1;
  const int old_plies = std::max(offset - top_ply_, 0);
  const int new_plies = game.plies() - (first_new_ply - 1);
  bool is_old_line = true;
  for (int i = 0; i < old_plies + new_plies; ++i) {
    const auto depth = static_cast<size_t>(i) + 1;
    const int old_ply = top_ply_ + 1 + i;
    const Move move =
        i < old_plies ? game_.move(old_ply) : game.move(first_new_ply + i - old_plies);
    is_old_line = is_old_line && depth < line_.size() && move == game_.move(old_ply);
    const bool is_last = i + 1 == old_plies + new_plies;
    if (is_old_line && !is_last) {
      line.push_back(line_[depth]);
      continue;
    }
    const EdgeRef edge = tree_.node(line.back()).edges().Find(move);
    if (!edge || edge.child() == 0) return false;
    incoming = edge.Load();
    line.push_back(edge.child());
  }
  line_ = std::move(line);
  root_ = line_.back();
  root_edge_ = incoming;
  root_edge_.in_flight = 0;
  DropLineAbove(static_cast<size_t>(old_plies));
  top_ply_ = std::max(top_ply_ - offset, 0);
  return true;
}

// The new game does not know the first `count` positions of the line: they go, with all that
// branches off there.
void TreeSearch::DropLineAbove(size_t count) {
  if (count == 0) return;
  const EdgeRef edge = tree_.node(line_[count - 1]).edges().FindChild(line_[count]);
  top_edge_ = edge.Load();
  edge.child() = 0;
  tree_.Free(line_.front());
  line_.erase(line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(count));
}

// What a second occurrence decided held below the old root.
void TreeSearch::ReopenTwofolds() {
  if (!has_twofolds_) return;
  has_twofolds_ = false;
  std::vector<BlockIndex> left{root_};
  while (!left.empty()) {
    const BlockIndex index = left.back();
    left.pop_back();
    for (const EdgeRef edge : tree_.node(index).edges()) {
      if (edge.proof() == Proof::kNone) edge.proof_bits() = 0;
      if (edge.child() != 0) left.push_back(edge.child());
    }
  }
}

// The root's block has moved: it is known to the line, and to the edge that leads to it.
void TreeSearch::RootHasMoved(BlockIndex before) {
  line_.back() = root_;
  if (line_.size() == 1) return;
  tree_.node(line_[line_.size() - 2]).edges().FindChild(before).child() = root_;
}

// Frees the subtrees of the least visited moves until so much is in use at most. The moves keep
// their statistics; such a one is evaluated again when it is visited again.
void TreeSearch::Recycle(size_t target_bytes) {
  bool has_more = true;
  for (uint32_t limit = 1; has_more && tree_.used_bytes() > target_bytes; limit *= 2) {
    has_more = false;
    std::vector<BlockIndex> left{line_.front()};
    while (!left.empty()) {
      const BlockIndex index = left.back();
      left.pop_back();
      for (const EdgeRef edge : tree_.node(index).edges()) {
        const BlockIndex child = edge.child();
        if (child == 0) continue;
        const bool is_on_line = std::find(line_.begin(), line_.end(), child) != line_.end();
        if (is_on_line || edge.visits() > limit) {
          has_more |= !is_on_line;
          left.push_back(child);
        } else {
          tree_.Free(child);
          edge.child() = 0;
        }
      }
    }
  }
  tree_.Coalesce();
}

}  // namespace chuhe
