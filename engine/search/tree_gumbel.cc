// The Gumbel root of a tree search: the plan decides at the root, and each phase of it waits for
// the answers of the one before.
#include <algorithm>
#include <cassert>

#include "engine/board/movegen.h"
#include "engine/search/tree_search.h"

namespace chuhe {
namespace {

constexpr uint8_t kNoPlace = 255;

}  // namespace

std::vector<GumbelMove> TreeSearch::GumbelMoves() const {
  std::vector<GumbelMove> moves;
  const float draw_score = options_.puct.draw_score;
  for (const Edge& edge : RootMoves()) {
    moves.push_back({.prior = edge.prior * Node::kPriorUnit,
                     .visits = edge.visits,
                     .value = edge.value + draw_score * edge.draw,
                     .is_lost = edge.proof == Proof::kLoss || !IsAllowedAtRoot(edge.move)});
  }
  return moves;
}

void TreeSearch::PlanGumbel(int visits, Random* random) {
  assert(has_root_evaluation() && under_way_count_ == 0);
  plan_.emplace(GumbelMoves(), visits, options_.gumbel, random);
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  plan_places_.assign(static_cast<size_t>(moves.size), kNoPlace);
  for (const EdgeRef edge : tree_.node(root_).edges()) {
    const Move* const move = std::find(moves.begin(), moves.end(), edge.move());
    plan_places_[static_cast<size_t>(move - moves.begin())] = static_cast<uint8_t>(edge.place());
  }
  ClearPlanBlocks();
}

Move TreeSearch::GumbelChoice() const {
  assert(plan_.has_value());
  const std::vector<Edge> moves = RootMoves();
  if (root_edge_.proof == Proof::kNone) {
    return moves[static_cast<size_t>(plan_->BestMove(GumbelMoves(), root_evaluation()))].move;
  }
  return RankedRootMoves().front().move;
}

std::vector<float> TreeSearch::ImprovedRootPolicy() const {
  return ImprovedPolicy(GumbelMoves(), root_evaluation(), options_.gumbel);
}

float TreeSearch::ImprovedRootValue() const {
  return ImprovedValue(GumbelMoves(), root_evaluation(), options_.gumbel);
}

// What is lost for certain, or not allowed, is not visited.
void TreeSearch::ClearPlanBlocks() {
  plan_blocked_.assign(plan_places_.size(), 0);
  if (!root_moves_.empty()) {
    MoveList moves;
    GenerateLegal(game_.position(), &moves);
    for (int i = 0; i < moves.size; ++i) {
      plan_blocked_[static_cast<size_t>(i)] = IsAllowedAtRoot(moves[i]) ? 0 : 1;
    }
  }
  const EdgeList edges = tree_.node(root_).edges();
  for (size_t i = 0; i < plan_places_.size(); ++i) {
    if (plan_places_[i] != kNoPlace && edges[plan_places_[i]].proof() == Proof::kLoss) {
      plan_blocked_[i] = 1;
    }
  }
}

bool TreeSearch::HasPlannedVisit() {
  while (true) {
    planned_move_ = plan_->NextMove(plan_blocked_);
    if (planned_move_ != GumbelPlan::kNone) return true;
    if (plan_->is_complete() || under_way_count_ > 0) return false;
    plan_->BeginNextPhase(GumbelMoves(), root_evaluation());
    ClearPlanBlocks();
  }
}

EdgeRef TreeSearch::ChoosePlanned(BlockIndex* index) {
  const auto i = static_cast<size_t>(planned_move_);
  if (plan_places_[i] != kNoPlace) return tree_.node(*index).edges()[plan_places_[i]];
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  const EdgeRef edge = AddEdge(index, planned_move_, moves[planned_move_], moves);
  if (!edge) return {};
  NotePlannedEdge(i);
  edge.value() = root_evaluation();
  return edge;
}

void TreeSearch::NotePlannedEdge(size_t move) {
  plan_places_[move] = static_cast<uint8_t>(tree_.node(root_).edge_count - 1);
}

EdgeRef TreeSearch::ChooseMatching(BlockIndex* index) {
  const Node& node = tree_.node(*index);
  const bool is_root_side = game_.position().side_to_move() == root_side_;
  const float draw_score = is_root_side ? options_.puct.draw_score : -options_.puct.draw_score;
  const EdgeRef best = MatchingChoice(node, draw_score, options_.gumbel);
  return best ? best : TryMove(index, node.next_index);
}

}  // namespace chuhe
