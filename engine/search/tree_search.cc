#include "engine/search/tree_search.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "engine/board/movegen.h"
#include "engine/rules/judge.h"
#include "engine/rules/material.h"

namespace chuhe {
namespace {

constexpr float kPliesLeftUnknown = 60;
constexpr int kKnownPerRequest = 8;

float ValueOf(Proof proof) {
  return proof == Proof::kWin ? 1.0f : proof == Proof::kLoss ? -1.0f : 0.0f;
}

void SetProof(Edge* edge, Proof proof, int plies, uint8_t flags) {
  edge->proof = proof;
  const int bounded = std::min(plies, Edge::kMaxProofPlies);
  edge->proof_bits = static_cast<uint8_t>(bounded | flags);
  edge->value = ValueOf(proof);
  edge->draw = proof == Proof::kDraw ? 1.0f : 0.0f;
  edge->plies_left = static_cast<float>(plies - 1);
}

// The verdict's outcome for the side that has just moved.
Proof ProofOf(Outcome outcome, Color mover) {
  if (outcome == Outcome::kDraw) return Proof::kDraw;
  return outcome == LossOf(mover) ? Proof::kLoss : Proof::kWin;
}

}  // namespace

TreeSearch::TreeSearch(Evaluator* evaluator, const TreeSearchOptions& options)
    : evaluator_(evaluator),
      options_(options),
      tree_(options.max_tree_bytes),
      game_(Position::Start()),
      visits_under_way_(static_cast<size_t>(options.batch_size)),
      requests_(static_cast<size_t>(options.batch_size)) {
  root_edge_.plies_left = kPliesLeftUnknown;
}

void TreeSearch::Clear() {
  tree_.Clear();
  line_.clear();
  root_ = 0;
  root_edge_ = Edge{};
  root_edge_.plies_left = kPliesLeftUnknown;
  visits_ = 0;
  path_sum_ = 0;
  longest_path_ = 0;
}

void TreeSearch::RestrictRoot(std::span<const Move> moves) {
  root_moves_.assign(moves.begin(), moves.end());
  root_edge_.proof = Proof::kNone;
  if (root_ != 0 && !tree_.node(root_).is_pending) {
    ProveFromMoves(tree_.node(root_), /*is_root=*/true, &root_edge_);
  }
}

bool TreeSearch::IsAllowedAtRoot(Move move) const {
  return root_moves_.empty() ||
         std::find(root_moves_.begin(), root_moves_.end(), move) != root_moves_.end();
}

int TreeSearch::BestUntried(const Node& node, bool is_root) const {
  if (!node.has_untried_moves()) return -1;
  if (!is_root || root_moves_.empty()) return node.next_index;
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  int best = -1;
  for (int i = 0; i < moves.size; ++i) {
    if (node.priors()[i] == 0 || !IsAllowedAtRoot(moves[i])) continue;
    if (best < 0 || node.priors()[i] > node.priors()[best]) best = i;
  }
  return best;
}

Edge* TreeSearch::TryMove(Node* node, int index) {
  MoveList moves;
  GenerateLegal(game_.position(), &moves);
  return tree_.NewEdge(node, index, moves[index]);
}

Edge* TreeSearch::Choose(BlockIndex index, const Edge& incoming, bool is_root) {
  Node& node = tree_.node(index);
  const PuctNode puct(options_.puct, incoming, game_.position().side_to_move() == root_side_);
  Edge* best = nullptr;
  float best_score = 0;
  float tried_priors = 0;
  for (Edge& edge : tree_.edges(node)) {
    tried_priors += edge.prior;
    if (edge.proof == Proof::kLoss) continue;
    if (is_root && !IsAllowedAtRoot(edge.move)) continue;
    const float score = puct.Score(edge);
    if (best == nullptr || score > best_score) {
      best = &edge;
      best_score = score;
    }
  }
  const int untried = BestUntried(node, is_root);
  if (untried < 0) return best;
  if (best != nullptr && puct.UntriedScore(node.priors()[untried], tried_priors) <= best_score) {
    return best;
  }
  return TryMove(&node, untried);
}

TreeSearch::VisitResult TreeSearch::Descend(Visit* visit) {
  visit->path.clear();
  visit->leaf = 0;
  BlockIndex index = root_;
  const Edge* incoming = &root_edge_;
  ++root_edge_.in_flight;
  while (true) {
    const bool is_root = index == root_;
    if (tree_.node(index).is_pending) return VisitResult::kCollision;
    Edge* const edge = Choose(index, *incoming, is_root);
    if (edge == nullptr) return VisitResult::kNoRoom;
    ++edge->in_flight;
    const auto place = static_cast<uint8_t>(edge - tree_.edges(tree_.node(index)).data());
    visit->path.push_back({index, place});
    if (edge->child != 0) tree_.PrefetchNode(edge->child);
    game_.Make(edge->move);
    if (edge->child == 0) return Enter(visit, edge);
    if (edge->proof != Proof::kNone) return VisitResult::kKnown;
    index = edge->child;
    incoming = edge;
  }
}

// The position after the last edge of the path has no node: the rules decide it, or it needs one.
TreeSearch::VisitResult TreeSearch::Enter(Visit* visit, Edge* edge) {
  if (edge->proof != Proof::kNone || (edge->proof_bits & Edge::kTwofold) != 0) {
    return VisitResult::kKnown;
  }
  EvaluationRequest& request = requests_[static_cast<size_t>(request_count_)];
  GenerateLegal(game_.position(), &request.moves);
  if (JudgeEnd(request.moves, static_cast<int>(visit->path.size()), edge)) {
    return VisitResult::kKnown;
  }
  visit->leaf = tree_.NewNode(request.moves.size);
  if (visit->leaf == 0) return VisitResult::kNoRoom;
  edge->child = visit->leaf;
  request.SetPosition(game_);
  ++request_count_;
  return VisitResult::kNeedsEvaluation;
}

bool TreeSearch::JudgeEnd(const MoveList& moves, int depth, Edge* edge) const {
  const Color mover = Opponent(game_.position().side_to_move());
  if (moves.size == 0) {
    SetProof(edge, Proof::kWin, 1, 0);
    return true;
  }
  if (const int since = game_.PliesSinceOccurrence(); since != 0) {
    const Verdict verdict = game_.JudgeRepetition();
    if (verdict.outcome != Outcome::kUndecided) {
      SetProof(edge, ProofOf(verdict.outcome, mover), 1, Edge::kByRule);
      return true;
    }
    if (since < depth && JudgeLoop(game_, game_.plies() - since).outcome == Outcome::kDraw) {
      edge->proof_bits = Edge::kTwofold;
      edge->value = 0;
      edge->draw = 1;
      return true;
    }
  }
  if (game_.no_capture_plies() >= NoCaptureLimit(game_.options().rules) ||
      IsInsufficientMaterial(game_.position())) {
    SetProof(edge, Proof::kDraw, 1, Edge::kByRule);
    return true;
  }
  return false;
}

void TreeSearch::UndoPath(const Visit& visit, bool cancel) {
  for (size_t i = 0; i < visit.path.size(); ++i) game_.Unmake();
  if (!cancel) return;
  for (const Step step : visit.path) --EdgeAt(step).in_flight;
  --root_edge_.in_flight;
}

void TreeSearch::BackUp(const Visit& visit, float value, float draw, float plies_left) {
  const auto add = [&](Edge* edge) {
    --edge->in_flight;
    ++edge->visits;
    if (edge->proof == Proof::kNone) {
      const float weight = 1 / static_cast<float>(edge->visits);
      edge->value += (value - edge->value) * weight;
      edge->draw += (draw - edge->draw) * weight;
      edge->plies_left += (plies_left - edge->plies_left) * weight;
    }
    value = -value;
    plies_left += 1;
  };
  for (size_t i = visit.path.size(); i-- > 0;) {
    add(&EdgeAt(visit.path[i]));
    ++tree_.node(visit.path[i].node).visits;
  }
  add(&root_edge_);
  const int length = static_cast<int>(visit.path.size());
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
  for (const Edge& edge : tree_.edges(node)) {
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

void TreeSearch::CarryProofUp(const Visit& visit) {
  for (size_t i = visit.path.size(); i-- > 0;) {
    if (EdgeAt(visit.path[i]).proof == Proof::kNone) return;
    Edge* const incoming = i == 0 ? &root_edge_ : &EdgeAt(visit.path[i - 1]);
    if (!ProveFromMoves(tree_.node(visit.path[i].node), i == 0, incoming)) return;
  }
}

void TreeSearch::MakeRoot() {
  EvaluationRequest& request = requests_.front();
  GenerateLegal(game_.position(), &request.moves);
  if (request.moves.size == 0) return;
  request.SetPosition(game_);
  root_ = tree_.NewNode(request.moves.size);
  line_ = {root_};
  top_ply_ = game_.plies();
  evaluator_->Evaluate({&request, 1});
  Node& node = tree_.node(root_);
  tree_.SetPriors(&node, {request.priors, static_cast<size_t>(request.moves.size)});
  node.visits = 1;
  root_edge_.visits = 1;
  root_edge_.value = -request.wdl.value();
  root_edge_.draw = request.wdl.draw;
  root_edge_.plies_left = request.plies_left + 1;
}

int TreeSearch::RunBatch(int max_visits) {
  if (root_ == 0) MakeRoot();
  if (root_ == 0) return 0;
  bool has_room = true;
  int visits = CollectBatch(max_visits, &has_room);
  // A quarter is freed at first, more if even that leaves no block that is large enough.
  for (size_t quarters = 3; !has_room; --quarters) {
    Recycle(tree_.max_bytes() / 4 * quarters);
    if (visits > 0 || quarters == 0) break;
    visits = CollectBatch(max_visits, &has_room);
  }
  return visits;
}

int TreeSearch::CollectBatch(int max_visits, bool* has_room) {
  size_t collected = 0;
  int known = 0;
  request_count_ = 0;
  *has_room = true;
  // Visits that end at once are worth no evaluation; a bounded number of them rides along.
  const int max_known = kKnownPerRequest * options_.batch_size;
  while (root_edge_.proof == Proof::kNone && collected < requests_.size() && known < max_known &&
         static_cast<int>(collected) + known < max_visits) {
    Visit& visit = visits_under_way_[collected];
    const VisitResult result = Descend(&visit);
    UndoPath(visit, result == VisitResult::kCollision || result == VisitResult::kNoRoom);
    if (result == VisitResult::kNoRoom) *has_room = false;
    if (result == VisitResult::kCollision || result == VisitResult::kNoRoom) break;
    if (result == VisitResult::kNeedsEvaluation) {
      ++collected;
      continue;
    }
    const Edge end = EdgeAt(visit.path.back());
    BackUp(visit, end.value, end.draw, end.plies_left);
    CarryProofUp(visit);
    ++known;
  }
  evaluator_->Evaluate({requests_.data(), collected});
  for (size_t i = 0; i < collected; ++i) Answer(visits_under_way_[i], requests_[i]);
  return static_cast<int>(collected) + known;
}

// An evaluation has come: the leaf becomes a node like others, and the answer goes up.
void TreeSearch::Answer(const Visit& visit, const EvaluationRequest& request) {
  Node& leaf = tree_.node(visit.leaf);
  tree_.SetPriors(&leaf, {request.priors, static_cast<size_t>(request.moves.size)});
  leaf.visits = 1;
  BackUp(visit, -request.wdl.value(), request.wdl.draw, request.plies_left);
}

std::vector<Edge> TreeSearch::RankedRootMoves() const {
  std::vector<Edge> moves;
  if (root_ == 0) return moves;
  for (const Edge& edge : tree_.edges(tree_.node(root_))) {
    if (IsAllowedAtRoot(edge.move)) moves.push_back(edge);
  }
  const auto rank = [](const Edge& edge) {
    switch (edge.proof) {
      case Proof::kWin:
        return 1000 - edge.proof_plies();
      case Proof::kLoss:
        return -1000 + edge.proof_plies();
      default:
        return 0;
    }
  };
  std::stable_sort(moves.begin(), moves.end(), [&](const Edge& a, const Edge& b) {
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.value > b.value;
  });
  return moves;
}

std::vector<Move> TreeSearch::LineFrom(const Edge& edge) const {
  std::vector<Move> line{edge.move};
  BlockIndex index = edge.child;
  while (index != 0) {
    const Edge* best = nullptr;
    for (const Edge& next : tree_.edges(tree_.node(index))) {
      const auto key = [](const Edge& e) {
        const int proof = e.proof == Proof::kWin    ? 1000 - e.proof_plies()
                          : e.proof == Proof::kLoss ? -1000 + e.proof_plies()
                                                    : 0;
        return std::pair(proof, e.visits);
      };
      if (best == nullptr || key(next) > key(*best)) best = &next;
    }
    if (best == nullptr) break;
    line.push_back(best->move);
    index = best->child;
  }
  return line;
}

// Frees the subtrees of the least visited nodes until so much is in use at most. Their edges keep
// their statistics; such a move is evaluated again when it is visited again.
void TreeSearch::Recycle(size_t target_bytes) {
  bool has_more = true;
  for (uint32_t limit = 1; has_more && tree_.used_bytes() > target_bytes; limit *= 2) {
    has_more = false;
    std::vector<BlockIndex> left{line_.front()};
    while (!left.empty()) {
      const BlockIndex index = left.back();
      left.pop_back();
      for (Edge& edge : tree_.edges(tree_.node(index))) {
        if (edge.child == 0) continue;
        const bool is_on_line = std::find(line_.begin(), line_.end(), edge.child) != line_.end();
        if (is_on_line || tree_.node(edge.child).visits > limit) {
          has_more |= !is_on_line;
          left.push_back(edge.child);
        } else {
          tree_.Free(edge.child);
          edge.child = 0;
        }
      }
    }
  }
  tree_.Coalesce();
}

}  // namespace chuhe
