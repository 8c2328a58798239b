// The tree search proper: collects leaves, has them evaluated, and carries the answers up.
//
// One visit walks from the root to a move that has not been tried, or to an end of the game. Leaves
// are collected into a batch; a visit under way counts as one (a virtual visit), so that the next
// one looks elsewhere. Ends of the game are carried up as proofs: a move that wins for certain, or
// loses, or draws, whatever the statistics say.
//
// There are two ways to drive it. An engine calls RunBatch(), which asks the evaluator and, where
// that can take several batches at once, collects ahead. Self-play has many games for one batch and
// does the asking itself:
//
//     SelectLeaves(room) of every game ─► one batch ─► Evaluate ─► ApplyEvaluations() of every game
//
// Repetitions are judged by tree_repetition.h. Beside the tree the shortest mate at the root is
// looked for (mate_search.h): what is found is a proof like others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/memory.h"
#include "engine/eval/evaluator.h"
#include "engine/rules/game.h"
#include "engine/search/gumbel.h"
#include "engine/search/mate_search.h"
#include "engine/search/puct.h"
#include "engine/search/tree.h"

namespace chuhe {

struct TreeSearchOptions {
  PuctOptions puct;
  int batch_size = 1;  // of RunBatch()
  // Root moves once tried get at least the root of this times prior times visits of the root, so
  // that noise has an effect (root_policy.h); 0 is off.
  float forced_visits = 0;
  GumbelOptions gumbel;
  // Below the root moves are chosen so that visits match the improved policy (gumbel.h), not by
  // PUCT.
  bool matches_policy_below_root = false;
  // Steps of the search for mates at the root (mate_search.h) for each visit, 0 for none, and the
  // length of mates, in moves, that it looks for meanwhile. Where evaluations cost time there is
  // room for more of both.
  int mate_steps = 1;
  int mate_moves = 3;
  // Priors of untried moves to 1/65535 rather than to 1/32 of each, in all nodes: for games whose
  // searches become targets of training. Otherwise those of a root that is new are so exact.
  bool has_exact_priors = false;
  size_t max_tree_bytes = size_t{256} << 20;
};

// Room for searches of at most so many visits, and for what is kept from the moves before. A node
// with its edges needs less, mostly. For few visits it is no more than one large page, which would
// only be cleared.
constexpr size_t TreeBytesFor(size_t visits) {
  constexpr size_t kBytesPerVisit = 2048;
  return std::max(kLargePageBytes, kBytesPerVisit * visits);
}

// Owned by one thread.
class TreeSearch {
 public:
  // The evaluator must outlive the search. It may be null if RunBatch() is not called.
  TreeSearch(Evaluator* evaluator, const TreeSearchOptions& options);

  // Searches this position from now on. What was found out about it before is kept when the
  // position was in the tree with the same history. Like all that changes the root, it waits for
  // batches of RunBatch() that are under way; those of SelectLeaves() must have been applied.
  void SetRoot(const Game& game);
  // The root moves on by a legal move. What is not below the move is forgotten at once, so that a
  // whole game needs no more memory than one search; otherwise as SetRoot().
  void Advance(Move move);
  void Clear();

  // Moves to be considered at the root; empty for all. Forgets no statistics.
  void RestrictRoot(std::span<const Move> moves);
  // Replaces the priors at the root, one for each legal move in the order of GenerateLegal(), for
  // noise; as exact as the node's own are. Needs the root's evaluation.
  void SetRootPriors(std::span<const float> priors);

  // For searches of several kinds in one game: from now on these hold at the root.
  void SetRootOptions(float forced_visits, const GumbelOptions& gumbel) {
    options_.forced_visits = forced_visits;
    options_.gumbel = gumbel;
  }

  // Plans that many visits of the root by Gumbel-top-k and sequential halving (gumbel.h); the
  // search follows the plan until it is complete, and then has nothing left to do until the root
  // changes or another plan is made. Needs the root's evaluation, and nothing under way.
  void PlanGumbel(int visits, Random* random);
  bool is_plan_complete() const { return plan_.has_value() && plan_->is_complete(); }
  // The move to play by the plan; certain results come first.
  Move GumbelChoice() const;
  // The improved policy over the legal moves, in the order of GenerateLegal(): the target of
  // training. Needs the root's evaluation.
  std::vector<float> ImprovedRootPolicy() const;
  // What the root is worth to the side to move if it plays by that policy, from −1 to 1.
  float ImprovedRootValue() const;

  // Makes or starts at most `max_visits` visits. Those that need no evaluation are made at once;
  // for the others the questions are written to the front of `room`. Returns how many those are.
  // The first question of a new root is about the root itself, alone, and is no visit.
  // 0: all that could be asked is under way, or the visits are made, or nothing is left to search
  // (is_decided(), is_plan_complete()).
  int SelectLeaves(std::span<EvaluationRequest> room, int max_visits);
  // Takes the answers to the oldest questions that have none yet, in the order of SelectLeaves().
  void ApplyEvaluations(std::span<const EvaluationRequest> requests);

  // Collects batches and has them evaluated until at least one is answered; at most `max_visits`
  // visits are made by this call and those under way afterwards. Returns how many were made, 0 if
  // nothing is left to search.
  int RunBatch(int max_visits);
  // The root is won or lost by mate for certain, but a mate in fewer moves, and in at most that
  // many, has not been excluded: of the winning side, or against one of the moves of the losing
  // one. So it is only where the tree has found the mate first.
  bool MayHaveShorterMate(int most_moves = MateSearch::kMostMoves) const;
  // Looks for one, for about that many steps (mate_search.h).
  void SeekShorterMate(int64_t steps, int most_moves = MateSearch::kMostMoves);
  // Blocks until all batches of RunBatch() are answered.
  void Drain();

  const Game& game() const { return game_; }
  const Tree& tree() const { return tree_; }
  const TreeSearchOptions& options() const { return options_; }
  bool has_root_evaluation() const { return root_ != 0 && !tree_.node(root_).is_pending(); }
  // Whether the outcome at the root is certain, or there is no move.
  bool is_decided() const;
  // Statistics of the root, as those of a move by the other side.
  const Edge& root_edge() const { return root_edge_; }
  // The root's own evaluation: win − loss of the side to move. Needs it.
  float root_evaluation() const { return tree_.node(root_).value; }
  // All legal moves of the root, in the order of GenerateLegal(). Those that were not tried have a
  // prior and no visits; where `visits` is 0 no value is known. Needs the root's evaluation.
  std::vector<Edge> RootMoves() const;
  // Tried root moves that are allowed, best first: proven wins, then by visits, proven losses last.
  std::vector<Edge> RankedRootMoves() const;
  // The line of best moves that starts with a root move.
  std::vector<Move> LineFrom(const Edge& edge) const;
  // What the tree holds of the position where the game stands: its statistics, as those of the move
  // that led there, and the line of best moves from there on. The game begins at any position of
  // the search's own, without regard to what was before, and goes on in the tree. None where that
  // leads out of the tree.
  struct Known {
    Edge edge;
    std::vector<Move> line;
  };
  std::optional<Known> Find(const Game& game) const;
  // Depth in plies: the longest path of all visits so far, and the mean.
  int longest_path() const { return longest_path_; }
  double mean_path() const {
    return visits_ == 0 ? 0 : static_cast<double>(path_sum_) / static_cast<double>(visits_);
  }
  // Visits made since the tree was empty, those under way not counted.
  int64_t visits() const { return visits_; }
  // Visits that wait for an evaluation.
  int under_way() const { return static_cast<int>(under_way_count_); }

 private:
  friend class TreeFile;  // tree_file.cc: saves and restores all this

  // A visit that waits for its evaluation: for each ply from the root, the place of the edge among
  // those of its node. (Nodes move when they grow; places stay.)
  struct Visit {
    std::vector<uint8_t> path;
    // Where the nodes on the path were, the last one that of the leaf: for prefetching, since those
    // before may have moved.
    std::vector<BlockIndex> nodes;
    bool is_root = false;  // the evaluation of the root: no visit
  };
  enum class VisitResult { kNeedsEvaluation, kKnown, kCollision, kNoRoom };
  // A visit that ended at a node still waiting for its evaluation. It stays in the tree, as many
  // times over as it takes to make the next one look elsewhere, until the batch is collected.
  struct Collision {
    std::vector<uint8_t> path;
    uint16_t weight = 0;
  };
  // What one Evaluator::Submit() is given.
  struct Batch {
    std::vector<EvaluationRequest> requests;
    int size = 0;
  };

  int SelectRoot(EvaluationRequest* request);
  // As SelectLeaves(), without making room.
  int Collect(std::span<EvaluationRequest> room, int max_visits, bool* has_room);
  VisitResult Descend(Visit* visit, EvaluationRequest* request);
  VisitResult Enter(int depth, EdgeRef edge, EvaluationRequest* request);
  // Counts the collision at the end of `path_`; false if the batch should end here.
  bool KeepCollision(const Visit& visit, int* budget);
  bool IsAllowedAtRoot(Move move) const;
  // Room for one more visit under way.
  Visit& NextVisit();
  const Visit& OldestVisit() const { return visits_under_way_[oldest_visit_]; }
  bool SubmitBatch(int max_visits);
  void FinishBatch();

  // tree_choice.cc
  // The edge to go along at a node, a new one if the best choice is an untried move; none if there
  // is no room for it. The node may move.
  EdgeRef Choose(BlockIndex* index, EdgeMeans incoming);
  // What the root wants besides the scores: takes the scores of moves that are not allowed, and
  // returns a move that is forced, if there is one.
  EdgeRef RestrictScores(const EdgeList& edges, std::span<float> scores) const;
  // The place of the best untried move of a node; −1 if there is none.
  int BestUntried(const Node& node, bool is_root) const;
  // An edge for a move that has not been tried; none if there is no room.
  EdgeRef TryMove(BlockIndex* index, int place);
  EdgeRef AddEdge(BlockIndex* index, int place, Move move, std::span<const Move> moves = {});
  // How many more visits along `path_` it takes until one of its nodes would choose otherwise; at
  // most `limit` + 1.
  int VisitsUntilOtherChoice(int limit);
  bool IsForced(const Edge& edge) const;

  // tree_gumbel.cc
  std::vector<GumbelMove> GumbelMoves() const;
  void ClearPlanBlocks();
  // The last edge of the root is of this legal move.
  void NotePlannedEdge(size_t move);
  // Sets planned_move_; false if no visit can be started now.
  bool HasPlannedVisit();
  EdgeRef ChoosePlanned(BlockIndex* index);
  EdgeRef ChooseMatching(BlockIndex* index);

  // tree_mate.cc
  void ForgetMates();
  // What the visits so far have earned.
  void SeekMates();
  void RunMateSearch(int64_t steps);
  void NoteMate();
  // Whether the mate that follows a root move may be shorter than known.
  bool MayBeShorter(const Edge& defence) const;
  void SeekShorterLoss(int64_t steps, int most_moves);

  // tree_backup.cc
  static void SetProof(Edge* edge, Proof proof, int plies, uint8_t flags);
  // Sets what the rules say about the position after an edge; false if they say nothing.
  bool JudgeEnd(const MoveList& moves, int depth, Edge* edge);
  void FollowPath(std::span<const uint8_t> path);
  void AddInFlight(std::span<const uint8_t> path, int visits);
  void Answer(const Visit& visit, const EvaluationRequest& request);
  // The next two go up the edges of `path_`.
  void BackUp(float value, float draw, float plies_left);
  void CarryProofUp();
  bool ProveFromMoves(const Node& node, bool is_root, Edge* incoming) const;

  // tree_root.cc
  // The line of best moves from a node on.
  std::vector<Move> LineBelow(BlockIndex index) const;

  // tree_reuse.cc
  // The root's statistics as they hold for all its moves.
  Edge StoredRootEdge() const;
  void LeaveRoot();
  bool FollowToRoot(const Game& game);
  void DropLineAbove(size_t count);
  void ReopenTwofolds();
  void ProveRootAnew();
  void RootHasMoved(BlockIndex before);
  void Recycle(size_t target_bytes);

  Evaluator* evaluator_;
  TreeSearchOptions options_;
  Tree tree_;
  Game game_;
  // Nodes from the top of the tree to the root: what was searched before stays, for stepping back.
  std::vector<BlockIndex> line_;
  int top_ply_ = 0;  // of the game, where line_ begins
  Edge top_edge_;    // into the top, while the root is below it
  BlockIndex root_ = 0;
  Edge root_edge_;
  Color root_side_ = Color::kRed;
  std::vector<Move> root_moves_;  // allowed ones; empty = all
  bool has_twofolds_ = false;     // somewhere in the tree

  MateSearch mates_;
  bool has_mate_root_ = false;  // it looks at the root as it is
  int64_t mate_visits_ = 0;     // visits made when it was told of the root
  // At a lost root it looks at the moves, one after the other: the place of the one it is at, and
  // whether it has been told of that.
  size_t next_defence_ = 0;
  bool is_at_defence_ = false;
  std::vector<std::vector<Move>> mate_lines_;  // found at this root, by their first move

  std::optional<GumbelPlan> plan_;
  std::vector<uint8_t> plan_places_;   // by legal move: the place of its edge at the root
  std::vector<uint8_t> plan_blocked_;  // by legal move: not 0 where no visit may go
  int planned_move_ = 0;

  // A ring: the oldest of the visits under way, and the others behind it.
  std::vector<Visit> visits_under_way_;
  size_t oldest_visit_ = 0;
  size_t under_way_count_ = 0;
  std::vector<EdgeRef> path_;  // of the visit that is looked at
  std::vector<Collision> collisions_;
  size_t collision_count_ = 0;
  // A ring as well.
  std::vector<Batch> batches_;
  size_t oldest_batch_ = 0;
  size_t submitted_ = 0;

  int64_t visits_ = 0;
  int64_t path_sum_ = 0;
  int longest_path_ = 0;
};

}  // namespace chuhe
