// The tree search proper: collects leaves, has them evaluated, and carries the answers up.
//
// One visit walks from the root to a move that has not been tried, or to an end of the game. Leaves
// are collected into a batch; a visit under way counts as one (a virtual visit), so that the next
// one looks elsewhere. Ends of the game are carried up as proofs: a move that wins for certain, or
// loses, or draws, whatever the statistics say.
//
// Repetitions below the root (docs/search.md): a third occurrence, counted over game and path, is
// judged as in play; a second one that lies wholly below the root is a draw at once if the loop is
// quiet, and is searched on if one side would lose by it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/eval/evaluator.h"
#include "engine/rules/game.h"
#include "engine/search/puct.h"
#include "engine/search/tree.h"

namespace chuhe {

struct TreeSearchOptions {
  PuctOptions puct;
  int batch_size = 1;
  size_t max_tree_bytes = size_t{256} << 20;
};

// Owned by one thread.
class TreeSearch {
 public:
  // The evaluator must outlive the search.
  TreeSearch(Evaluator* evaluator, const TreeSearchOptions& options);

  // Searches this position from now on. What was found out about it before is kept when the
  // position was in the tree with the same history.
  void SetRoot(const Game& game);
  void Clear();

  // Moves to be considered at the root; empty for all. Forgets no statistics.
  void RestrictRoot(std::span<const Move> moves);

  // Collects and evaluates one batch; at most `max_visits` visits. Returns how many were made, 0
  // if nothing is left to search (the root is decided or has no moves).
  int RunBatch(int max_visits);

  const Game& game() const { return game_; }
  const Tree& tree() const { return tree_; }
  const TreeSearchOptions& options() const { return options_; }
  // Statistics of the root, as those of a move by the other side.
  const Edge& root_edge() const { return root_edge_; }
  // Tried root moves that are allowed, best first: proven wins, then by visits, proven losses last.
  std::vector<Edge> RankedRootMoves() const;
  // The line of best moves that starts with a root move.
  std::vector<Move> LineFrom(const Edge& edge) const;
  // Depth in plies: the longest path of all visits so far, and the mean.
  int longest_path() const { return longest_path_; }
  double mean_path() const {
    return visits_ == 0 ? 0 : static_cast<double>(path_sum_) / static_cast<double>(visits_);
  }
  int64_t visits() const { return visits_; }

 private:
  struct Step {
    BlockIndex node;
    uint8_t edge;
  };
  // A visit under way: the edges it went along, and the node that waits for its evaluation. The
  // request of the n-th visit of a batch is the n-th.
  struct Visit {
    std::vector<Step> path;
    BlockIndex leaf = 0;  // waits for an evaluation; 0 if the last edge knows its value
  };
  enum class VisitResult { kNeedsEvaluation, kKnown, kCollision, kNoRoom };

  int CollectBatch(int max_visits, bool* has_room);
  void Answer(const Visit& visit, const EvaluationRequest& request);
  VisitResult Descend(Visit* visit);
  VisitResult Enter(Visit* visit, Edge* edge);
  // The edge to go along at a node, a new one if the best choice is an untried move; null if there
  // is no room for it.
  Edge* Choose(BlockIndex index, const Edge& incoming, bool is_root);
  // The place of the best untried move of a node; −1 if there is none.
  int BestUntried(const Node& node, bool is_root) const;
  Edge* TryMove(Node* node, int index);
  bool IsAllowedAtRoot(Move move) const;

  // Sets what the rules say about the position after an edge; false if they say nothing.
  bool JudgeEnd(const MoveList& moves, int depth, Edge* edge) const;
  void UndoPath(const Visit& visit, bool cancel);
  void BackUp(const Visit& visit, float value, float draw, float plies_left);
  void CarryProofUp(const Visit& visit);
  bool ProveFromMoves(const Node& node, bool is_root, Edge* incoming) const;

  Edge& EdgeAt(Step step) { return tree_.edges(tree_.node(step.node))[step.edge]; }
  void MakeRoot();
  void Recycle(size_t target_bytes);

  // tree_reuse.cc
  void LeaveRoot();
  bool FollowToRoot(const Game& game);
  void DropLineAbove(size_t count);
  void ReopenTwofolds();

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
  std::vector<Visit> visits_under_way_;
  std::vector<EvaluationRequest> requests_;
  int request_count_ = 0;
  int64_t visits_ = 0;
  int64_t path_sum_ = 0;
  int longest_path_ = 0;
};

}  // namespace chuhe
