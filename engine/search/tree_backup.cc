// What happens at the end of a visit: what the rules say there, and how answers and proofs go up.
#include <algorithm>
#include <span>

#include "engine/rules/material.h"
#include "engine/search/tree_repetition.h"
#include "engine/search/tree_search.h"

namespace chuhe {
namespace {

float ValueOf(Proof proof) {
  return proof == Proof::kWin ? 1.0f : proof == Proof::kLoss ? -1.0f : 0.0f;
}

void SetValue(Edge* edge, Proof outcome, int plies) {
  edge->value = ValueOf(outcome);
  edge->draw = outcome == Proof::kDraw ? 1.0f : 0.0f;
  edge->plies_left = static_cast<float>(plies - 1);
}

// The verdict's outcome for the side that has just moved.
Proof ProofOf(Outcome outcome, Color mover) {
  if (outcome == Outcome::kDraw) return Proof::kDraw;
  return outcome == LossOf(mover) ? Proof::kLoss : Proof::kWin;
}

}  // namespace

void TreeSearch::SetProof(Edge* edge, Proof proof, int plies, uint8_t flags) {
  edge->proof = proof;
  const int bounded = std::min(plies, Edge::kMaxProofPlies);
  edge->proof_bits = static_cast<uint8_t>(bounded | flags);
  SetValue(edge, proof, plies);
}

bool TreeSearch::JudgeEnd(const MoveList& moves, int depth, Edge* edge) {
  if (moves.size == 0) {
    SetProof(edge, Proof::kWin, 1, 0);
    return true;
  }
  const Color mover = Opponent(game_.position().side_to_move());
  const RepetitionRuling ruling = JudgeRepetitionInTree(&game_, depth);
  if (ruling.outcome != Outcome::kUndecided && !ruling.is_twofold) {
    SetProof(edge, ProofOf(ruling.outcome, mover), 1, Edge::kByRule);
    return true;
  }
  if (ruling.is_twofold) {
    // A value, not a proof: it ends when the root moves into the loop.
    SetValue(edge, ProofOf(ruling.outcome, mover), 1);
    edge->proof_bits = Edge::kTwofold;
    has_twofolds_ = true;
    return true;
  }
  const GameOptions& options = game_.options();
  if (game_.no_capture_plies() >= NoCaptureLimit(options.rules) ||
      (options.ply_cap > 0 && game_.plies() >= options.ply_cap) ||
      IsInsufficientMaterial(game_.position())) {
    SetProof(edge, Proof::kDraw, 1, Edge::kByRule);
    return true;
  }
  return false;
}

void TreeSearch::FollowPath(std::span<const uint8_t> path) {
  path_.clear();
  BlockIndex index = root_;
  for (const uint8_t place : path) {
    path_.push_back(tree_.node(index).edges()[place]);
    index = path_.back().child();
  }
}

void TreeSearch::AddInFlight(std::span<const uint8_t> path, int visits) {
  FollowPath(path);
  for (const EdgeRef edge : path_) {
    edge.in_flight() = static_cast<uint16_t>(edge.in_flight() + visits);
  }
  root_edge_.in_flight = static_cast<uint16_t>(root_edge_.in_flight + visits);
}

// An evaluation has come: the leaf becomes a node like others, and the answer goes up.
void TreeSearch::Answer(const Visit& visit, const EvaluationRequest& request) {
  FollowPath(visit.path);
  Node& leaf = tree_.node(visit.is_root ? root_ : path_.back().child());
  const std::span<const float> priors(request.priors, static_cast<size_t>(request.moves.size));
  if (options_.puct.policy_temperature == 1) {
    Tree::SetPriors(&leaf, priors, request.moves);
  } else {
    float tempered[kMaxMoves];
    TemperPriors(priors, options_.puct.policy_temperature, tempered);
    Tree::SetPriors(&leaf, {tempered, priors.size()}, request.moves);
  }
  leaf.value = request.wdl.value();
  if (visit.is_root) {
    root_edge_.visits = 1;
    root_edge_.value = -request.wdl.value();
    root_edge_.draw = request.wdl.draw;
    root_edge_.plies_left = request.plies_left + 1;
    return;
  }
  BackUp(-request.wdl.value(), request.wdl.draw, request.plies_left);
}

void TreeSearch::BackUp(float value, float draw, float plies_left) {
  // `mean` are those of one edge.
  const auto add = [&](uint32_t visits, float* mean_value, float* mean_draw, float* mean_plies) {
    const float weight = 1 / static_cast<float>(visits);
    *mean_value += (value - *mean_value) * weight;
    *mean_draw += (draw - *mean_draw) * weight;
    *mean_plies += (plies_left - *mean_plies) * weight;
  };
  for (size_t i = path_.size(); i-- > 0;) {
    const EdgeRef edge = path_[i];
    --edge.in_flight();
    ++edge.visits();
    if (edge.proof() == Proof::kNone) {
      add(edge.visits(), &edge.value(), &edge.draw(), &edge.plies_left());
    }
    value = -value;
    plies_left += 1;
  }
  --root_edge_.in_flight;
  ++root_edge_.visits;
  if (root_edge_.proof == Proof::kNone) {
    add(root_edge_.visits, &root_edge_.value, &root_edge_.draw, &root_edge_.plies_left);
  }
  const int length = static_cast<int>(path_.size());
  ++visits_;
  path_sum_ += length;
  longest_path_ = std::max(longest_path_, length);
}

bool TreeSearch::ProveFromMoves(const Node& node, bool is_root, Edge* incoming) const {
  bool all_known = !node.has_untried_moves() || (is_root && !root_moves_.empty());
  bool has_draw = false;
  int shortest_win = 0;
  int longest = 0;
  uint8_t win_flags = 0;
  uint8_t flags = 0;
  size_t known = 0;
  for (const EdgeRef ref : node.edges()) {
    const Edge edge = ref.Load();
    if (is_root && !IsAllowedAtRoot(edge.move)) continue;
    ++known;
    const uint8_t rule = edge.proof_bits & Edge::kByRule;
    if (edge.proof == Proof::kWin) {
      if (shortest_win == 0 || edge.proof_plies() < shortest_win) {
        shortest_win = edge.proof_plies();
        win_flags = rule;
      }
    }
    if (edge.proof == Proof::kNone) all_known = false;
    if (edge.proof == Proof::kDraw) has_draw = true;
    longest = std::max(longest, edge.proof_plies());
    flags |= rule;
  }
  if (shortest_win > 0) {
    SetProof(incoming, Proof::kLoss, shortest_win + 1, win_flags);
    return true;
  }
  if (is_root && !root_moves_.empty() && known < root_moves_.size()) all_known = false;
  if (!all_known || known == 0) return false;
  SetProof(incoming, has_draw ? Proof::kDraw : Proof::kWin, longest + 1, flags);
  return true;
}

void TreeSearch::CarryProofUp() {
  for (size_t i = path_.size(); i-- > 0;) {
    if (path_[i].proof() == Proof::kNone) return;
    if (i == 0) {
      ProveFromMoves(tree_.node(root_), /*is_root=*/true, &root_edge_);
      return;
    }
    Edge incoming = path_[i - 1].Load();
    if (!ProveFromMoves(tree_.node(incoming.child), /*is_root=*/false, &incoming)) return;
    path_[i - 1].Store(incoming);
  }
}

}  // namespace chuhe
