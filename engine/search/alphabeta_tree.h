// The recursive part of the alpha-beta search: principal variation search with a transposition
// table, null moves and late move reductions, and quiescence on captures.
//
// Scores that depend on how a position was reached (repetitions with the game, limits) stay out of
// the table: every node knows the first ply of the path that its score depends on, and stores the
// score only if that ply is not above it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/search/alphabeta_order.h"
#include "engine/search/alphabeta_path.h"
#include "engine/search/time_manager.h"
#include "engine/search/transposition_table.h"

namespace chuhe {

// Owned by one thread.
class AlphaBetaTree {
 public:
  // Searches where the path stands. All four must outlive the tree; at most `node_limit` nodes are
  // visited, 0 = any number.
  AlphaBetaTree(SearchPath* path, TranspositionTable* table, MoveOrder* order, SearchClock* clock,
                int64_t node_limit);

  // Before the root is searched to this depth. With `is_patient` only the node limit ends the
  // search, for a first iteration that must give a move.
  void BeginIteration(int depth, bool is_patient);

  // The score of a move of the root, from the point of view of the side that makes it, to the
  // iteration's depth. `is_first` moves get an open window, others first a closed one; scores that
  // are not within alpha and beta are bounds. Means nothing once the search is stopped.
  int SearchRootMove(Move move, int alpha, int beta, bool is_first);
  // The expected line behind the root move that was searched last, that move included.
  std::span<const Move> root_line() const {
    return {frames_[0].line.data(), static_cast<size_t>(frames_[0].line_length)};
  }

  bool is_stopped() const { return is_stopped_; }
  int64_t nodes() const { return nodes_; }
  // The longest path of the iteration.
  int selective_depth() const { return selective_depth_; }

 private:
  // What a node of the present path hands to the one above.
  struct Frame {
    std::array<Move, kMaxPly + 1> line;
    int line_length = 0;
    int since = Ruling::kIndependent;  // as Ruling::since, of the score
  };
  // How a node is searched on after the table and the static score were asked.
  struct Node {
    int alpha;
    int beta;
    int depth;
    Move table_move;
  };

  int Search(int alpha, int beta, int depth, bool may_pass);
  int SearchMoves(const Node& node);
  int SearchChild(Move move, const Node& node, int alpha, int index, bool is_quiet);
  int Reduction(Move move, const Node& node, int index, bool gives_check) const;
  // Whether passing still is good enough for a cut-off; `score` gets it.
  bool CutsByPassing(int beta, int depth, int* score);
  // Looks at captures that seem to lose nothing, at all answers to checks, and with_checks at quiet
  // checks.
  int Quiesce(int alpha, int beta, bool with_checks);
  // Leaves those captures and checks in the list; returns the score to improve on, which captures
  // that are hopeless against alpha may have raised.
  int KeepNoisyMoves(int standing, int alpha, bool with_checks, ScoredMoves* moves) const;

  // Counts the node and finds out whether to end the search.
  bool EnterNode();
  void TakeLine(Move move);
  Frame& frame() { return frames_[path_.ply()]; }
  Frame& child_frame() { return frames_[path_.ply() + 1]; }
  int RulingScore(const Ruling& ruling);
  // Scores that count plies do so from the node in the table, from the root in the search.
  int FromTable(int score) const;
  int ToTable(int score) const;
  void Store(int score, Bound bound, int depth, Move move);

  SearchPath& path_;
  TranspositionTable& table_;
  MoveOrder& order_;
  SearchClock& clock_;
  const int64_t node_limit_;

  int64_t nodes_ = 0;
  int iteration_depth_ = 0;
  int selective_depth_ = 0;
  bool is_patient_ = false;
  bool is_stopped_ = false;
  std::array<Frame, kMaxPly + 2> frames_;
};

}  // namespace chuhe
