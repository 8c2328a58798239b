#include "engine/search/tree_search.h"

#include <algorithm>
#include <cassert>

#include "engine/board/movegen.h"

namespace chuhe {
namespace {

constexpr float kPliesLeftUnknown = 60;
constexpr int kKnownPerRequest = 8;
// How many virtual visits a batch may spend on finding another leaf, for each of its questions.
constexpr int kCollisionVisits = 8;

}  // namespace

TreeSearch::TreeSearch(Evaluator* evaluator, const TreeSearchOptions& options)
    : evaluator_(evaluator),
      options_(options),
      tree_(options.max_tree_bytes),
      game_(Position::Start()),
      visits_under_way_(1) {
  root_edge_.plies_left = kPliesLeftUnknown;
}

void TreeSearch::Clear() {
  Drain();
  assert(under_way_count_ == 0);
  tree_.Clear();
  line_.clear();
  plan_.reset();
  ForgetMates();
  root_ = 0;
  root_edge_ = Edge{};
  root_edge_.plies_left = kPliesLeftUnknown;
  has_twofolds_ = false;
  visits_ = 0;
  path_sum_ = 0;
  longest_path_ = 0;
}

bool TreeSearch::is_decided() const {
  if (root_edge_.proof != Proof::kNone) return true;
  return root_ == 0 && !HasLegalMove(game_.position());
}

TreeSearch::Visit& TreeSearch::NextVisit() {
  if (under_way_count_ == visits_under_way_.size()) {
    const auto oldest = visits_under_way_.begin() + static_cast<std::ptrdiff_t>(oldest_visit_);
    std::rotate(visits_under_way_.begin(), oldest, visits_under_way_.end());
    oldest_visit_ = 0;
    visits_under_way_.resize(2 * under_way_count_);
  }
  return visits_under_way_[(oldest_visit_ + under_way_count_) % visits_under_way_.size()];
}

bool TreeSearch::KeepCollision(const Visit& visit, int* budget) {
  const int weight = VisitsUntilOtherChoice(*budget);
  if (weight > *budget) return false;
  *budget -= weight;
  if (collision_count_ == collisions_.size()) collisions_.emplace_back();
  Collision& collision = collisions_[collision_count_++];
  collision.path = visit.path;
  collision.weight = static_cast<uint16_t>(weight);
  AddInFlight(visit.path, weight);
  return true;
}

TreeSearch::VisitResult TreeSearch::Descend(Visit* visit, EvaluationRequest* request) {
  visit->path.clear();
  visit->nodes.clear();
  visit->is_root = false;
  path_.clear();
  BlockIndex* index = &root_;
  ++root_edge_.in_flight;
  EdgeMeans incoming = root_edge_.means();
  VisitResult result = VisitResult::kCollision;
  while (!tree_.node(*index).is_pending()) {
    const EdgeRef edge = Choose(index, incoming);
    if (!edge) {
      result = VisitResult::kNoRoom;
      break;
    }
    if (edge.child() != 0) tree_.PrefetchNode(edge.child());
    ++edge.in_flight();
    visit->path.push_back(static_cast<uint8_t>(edge.place()));
    visit->nodes.push_back(*index);
    path_.push_back(edge);
    game_.Make(edge.move());
    if (edge.child() == 0) {
      result = Enter(static_cast<int>(path_.size()), edge, request);
      visit->nodes.push_back(edge.child());
      break;
    }
    if (edge.proof() != Proof::kNone) {
      result = VisitResult::kKnown;
      break;
    }
    index = &edge.child();
    incoming = edge.means();
  }
  for (size_t i = 0; i < path_.size(); ++i) game_.Unmake();
  return result;
}

// The position after the last edge of a path has no node: the rules decide it, or it needs one.
TreeSearch::VisitResult TreeSearch::Enter(int depth, EdgeRef edge, EvaluationRequest* request) {
  if (edge.proof() != Proof::kNone || (edge.proof_bits() & Edge::kTwofold) != 0) {
    return VisitResult::kKnown;
  }
  GenerateLegal(game_.position(), &request->moves);
  Edge end = edge.Load();
  if (JudgeEnd(request->moves, depth, &end)) {
    edge.Store(end);
    return VisitResult::kKnown;
  }
  edge.child() = tree_.NewNode(request->moves.size, options_.has_exact_priors);
  if (edge.child() == 0) return VisitResult::kNoRoom;
  request->SetPosition(game_);
  return VisitResult::kNeedsEvaluation;
}

int TreeSearch::SelectRoot(EvaluationRequest* request) {
  GenerateLegal(game_.position(), &request->moves);
  if (request->moves.size == 0) return 0;
  request->SetPosition(game_);
  root_ = tree_.NewNode(request->moves.size, /*has_exact_priors=*/true);
  line_ = {root_};
  top_ply_ = game_.plies();
  Visit& visit = NextVisit();
  visit.path.clear();
  visit.nodes = {root_};
  visit.is_root = true;
  ++under_way_count_;
  return 1;
}

int TreeSearch::Collect(std::span<EvaluationRequest> room, int max_visits, bool* has_room) {
  size_t collected = 0;
  int known = 0;
  *has_room = true;
  // Visits that end at once are worth no evaluation; a bounded number of them rides along.
  const int max_known = kKnownPerRequest * static_cast<int>(room.size());
  int collision_budget = kCollisionVisits * static_cast<int>(room.size());
  collision_count_ = 0;
  if (plan_.has_value()) ClearPlanBlocks();
  while (root_edge_.proof == Proof::kNone && collected < room.size() && known < max_known &&
         static_cast<int>(collected) + known < max_visits) {
    if (plan_.has_value() && !HasPlannedVisit()) break;
    Visit& visit = NextVisit();
    const VisitResult result = Descend(&visit, &room[collected]);
    if (result == VisitResult::kNeedsEvaluation) {
      ++under_way_count_;
      ++collected;
    } else if (result == VisitResult::kKnown) {
      const Edge end = path_.back().Load();
      BackUp(end.value, end.draw, end.plies_left);
      CarryProofUp();
      if (plan_.has_value() && path_.front().proof() == Proof::kLoss) ClearPlanBlocks();
      ++known;
    } else {
      AddInFlight(visit.path, -1);
      *has_room = result != VisitResult::kNoRoom;
      if (!*has_room) break;
      if (KeepCollision(visit, &collision_budget)) continue;
      if (!plan_.has_value()) break;
      plan_blocked_[static_cast<size_t>(planned_move_)] = 1;
      continue;
    }
    if (plan_.has_value()) plan_->Start(planned_move_);
  }
  for (size_t i = 0; i < collision_count_; ++i) {
    AddInFlight(collisions_[i].path, -collisions_[i].weight);
  }
  return static_cast<int>(collected);
}

int TreeSearch::SelectLeaves(std::span<EvaluationRequest> room, int max_visits) {
  if (room.empty()) return 0;
  if (root_ == 0) return SelectRoot(&room.front());
  SeekMates();
  // When the tree is full, a quarter is freed at first, more if even that leaves no block that is
  // large enough. Visits under way hold their nodes, so they come first.
  for (size_t quarters = 3;; --quarters) {
    const int64_t made = visits_;
    bool has_room = true;
    const int collected = Collect(room, max_visits, &has_room);
    if (has_room || under_way_count_ > 0) return collected;
    Recycle(tree_.max_bytes() / 4 * quarters);
    if (visits_ > made || quarters == 0) return collected;
  }
}

void TreeSearch::ApplyEvaluations(std::span<const EvaluationRequest> requests) {
  assert(requests.size() <= under_way_count_);
  // All at once: while they were evaluated the caches have forgotten them.
  for (size_t i = 0; i < requests.size(); ++i) {
    for (const BlockIndex node :
         visits_under_way_[(oldest_visit_ + i) % visits_under_way_.size()].nodes) {
      tree_.PrefetchNode(node);
    }
  }
  for (const EvaluationRequest& request : requests) {
    Answer(OldestVisit(), request);
    oldest_visit_ = (oldest_visit_ + 1) % visits_under_way_.size();
    --under_way_count_;
  }
}

bool TreeSearch::SubmitBatch(int max_visits) {
  if (batches_.empty()) {
    batches_.resize(static_cast<size_t>(std::max(1, evaluator_->max_in_flight())));
    for (Batch& batch : batches_) {
      batch.requests.resize(static_cast<size_t>(options_.batch_size));
    }
  }
  if (submitted_ == batches_.size()) return false;
  Batch& batch = batches_[(oldest_batch_ + submitted_) % batches_.size()];
  batch.size = SelectLeaves(batch.requests, max_visits);
  if (batch.size == 0) return false;
  evaluator_->Submit({batch.requests.data(), static_cast<size_t>(batch.size)});
  ++submitted_;
  return true;
}

void TreeSearch::FinishBatch() {
  const Batch& batch = batches_[oldest_batch_];
  evaluator_->Wait();
  ApplyEvaluations({batch.requests.data(), static_cast<size_t>(batch.size)});
  oldest_batch_ = (oldest_batch_ + 1) % batches_.size();
  --submitted_;
}

void TreeSearch::Drain() {
  while (submitted_ > 0) FinishBatch();
}

int TreeSearch::RunBatch(int max_visits) {
  const int64_t before = visits_;
  const auto left = [&] { return max_visits - static_cast<int>(visits_ - before) - under_way(); };
  if (root_ == 0 && SubmitBatch(1)) FinishBatch();
  while (left() > 0 && SubmitBatch(left())) {
  }
  if (submitted_ > 0) FinishBatch();
  return static_cast<int>(visits_ - before);
}

}  // namespace chuhe
