// Where a visit goes at a node, and for how many more visits it would go there again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/board/movegen.h"
#include "engine/search/root_policy.h"
#include "engine/search/tree_search.h"

namespace chuhe {
namespace {

constexpr float kNoScore = std::numeric_limits<float>::infinity();

}  // namespace

int TreeSearch::BestUntried(const Node& node, bool is_root) const {
  if (!node.has_untried_moves()) return -1;
  if (!is_root || root_moves_.empty()) return node.next_index;
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  int best = -1;
  for (int i = 0; i < moves.size; ++i) {
    const uint16_t prior = node.prior(static_cast<size_t>(i));
    if (prior == 0 || !IsAllowedAtRoot(moves[i])) continue;
    if (best < 0 || prior > node.prior(static_cast<size_t>(best))) best = i;
  }
  return best;
}

EdgeRef TreeSearch::TryMove(BlockIndex* index, int place) {
  const Node& node = tree_.node(*index);
  if (node.next_move && place == node.next_index) return AddEdge(index, place, node.next_move);
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  return AddEdge(index, place, moves[place], moves);
}

EdgeRef TreeSearch::AddEdge(BlockIndex* index, int place, Move move, std::span<const Move> moves) {
  const BlockIndex before = *index;
  const EdgeRef edge = tree_.NewEdge(index, place, move, moves);
  if (index == &root_ && root_ != before) RootHasMoved(before);
  return edge;
}

bool TreeSearch::IsForced(const Edge& edge) const {
  if (options_.forced_visits <= 0 || edge.started() == 0) return false;
  return static_cast<float>(edge.started()) <
         ForcedVisits(options_.forced_visits, edge.prior, root_edge_.started() - 1);
}

EdgeRef TreeSearch::RestrictScores(const EdgeList& edges, std::span<float> scores) const {
  for (const EdgeRef edge : edges) {
    if (scores[edge.place()] == -kNoScore) continue;
    if (!IsAllowedAtRoot(edge.move())) {
      scores[edge.place()] = -kNoScore;
    } else if (IsForced(edge.Load())) {
      return edge;
    }
  }
  return {};
}

EdgeRef TreeSearch::Choose(BlockIndex* index, EdgeMeans incoming) {
  const bool is_root = index == &root_;
  if (is_root && plan_.has_value()) return ChoosePlanned(index);
  if (!is_root && options_.matches_policy_below_root) return ChooseMatching(index);
  const Node& node = tree_.node(*index);
  const EdgeList edges = node.edges();
  const PuctNode puct(options_.puct, incoming, game_.position().side_to_move() == root_side_);
  EdgeRef best;
  float best_score = -kNoScore;
  uint32_t tried_priors = 0;
  if (edges.size() > 0) {
    float room[kMaxMoves];
    const PuctNode::Ranking ranking = puct.ScoreAll(edges, room);
    size_t place = ranking.best;
    tried_priors = ranking.prior_sum;
    if (is_root && (!root_moves_.empty() || options_.forced_visits > 0)) {
      const std::span<float> scores(room, edges.size());
      if (const EdgeRef forced = RestrictScores(edges, scores)) return forced;
      place = static_cast<size_t>(std::ranges::max_element(scores) - scores.begin());
    }
    best_score = room[place];
    if (best_score > -kNoScore) best = edges[place];
  }
  const int untried = BestUntried(node, is_root);
  if (untried < 0) return best;
  const float utility = puct.UntriedUtility(tried_priors);
  const uint16_t prior =
      untried == node.next_index ? node.next_prior : node.prior(static_cast<size_t>(untried));
  if (best && puct.UntriedScore(prior, utility) <= best_score) return best;
  const EdgeRef edge = TryMove(index, untried);
  if (edge) puct.SetUtility(utility, edge);
  return edge;
}

int TreeSearch::VisitsUntilOtherChoice(int limit) {
  float fewest = static_cast<float>(limit) + 1;
  // A plan has its own order, whatever the scores.
  for (size_t i = plan_.has_value() ? 1 : 0; i < path_.size(); ++i) {
    if (options_.matches_policy_below_root && i > 0) return 1;
    const Edge incoming = i == 0 ? root_edge_ : path_[i - 1].Load();
    const Edge chosen = path_[i].Load();
    const Node& node = tree_.node(i == 0 ? root_ : incoming.child);
    const EdgeList edges = node.edges();
    const PuctNode puct(options_.puct, incoming, /*is_root_side=*/i % 2 == 0);
    float room[kMaxMoves];
    const uint32_t tried_priors = puct.ScoreAll(edges, room).prior_sum;
    const std::span<float> scores(room, edges.size());
    scores[path_[i].place()] = -kNoScore;
    if (i == 0 && !root_moves_.empty()) {
      for (const EdgeRef edge : edges) {
        if (!IsAllowedAtRoot(edge.move())) scores[edge.place()] = -kNoScore;
      }
    }
    float other_score = std::ranges::max(scores);
    if (const int untried = BestUntried(node, i == 0); untried >= 0) {
      const uint16_t prior = node.prior(static_cast<size_t>(untried));
      const float utility = puct.UntriedUtility(tried_priors);
      other_score = std::max(other_score, puct.UntriedScore(prior, utility));
    }
    if (puct.Utility(chosen) >= other_score) continue;
    const float visits = puct.VisitsForScore(chosen, other_score);
    fewest = std::min(fewest, visits - static_cast<float>(chosen.started()));
  }
  return std::max(1, static_cast<int>(std::ceil(fewest)));
}

}  // namespace chuhe
