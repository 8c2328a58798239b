// The built-in engine without a network: alpha-beta over a hand-written evaluation. The yardstick
// for young networks, and what plays where there is no network.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/search/alphabeta_order.h"
#include "engine/search/alphabeta_path.h"
#include "engine/search/searcher.h"
#include "engine/search/time_manager.h"
#include "engine/search/transposition_table.h"

namespace chuhe {

class AlphaBetaTree;

struct AlphaBetaOptions {
  // The playing strength: no search looks deeper. 0 = as deep as the limits allow.
  int depth = 0;
  size_t hash_bytes = size_t{16} << 20;
};

// What a search without any limit looks ahead.
inline constexpr int kDefaultAlphaBetaDepth = 8;
inline constexpr int kMaxAlphaBetaDepth = 64;

// Iterative deepening with aspiration windows. The same sequence of calls with limits of depth or
// nodes gives the same results everywhere. A search ends before its limits when a mate cannot get
// any shorter, and at kMaxAlphaBetaDepth, even if it is infinite or ponders: the caller holds the
// answer back where the protocol wants that. Owned by one thread.
class AlphaBetaSearcher : public Searcher {
 public:
  explicit AlphaBetaSearcher(const AlphaBetaOptions& options = {});

  void SetGame(const Game& game) override;
  void Clear() override;
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override;

  // The move that a search of the game to this depth chooses; no move when there is none. The
  // answer does not depend on what was searched before.
  Move BestMove(const Game& game, int depth);

  // Another clock than the steady one, for tests.
  void set_now(SearchClock::Now now) { now_ = std::move(now); }

 private:
  struct RootMove {
    Move move;
    int score = 0;           // of this iteration; -kInfiniteScore until known
    int previous_score = 0;  // of the iteration before
    int selective_depth = 0;
    int depth = 0;  // at which the line was found
    std::vector<Move> line;
  };

  void CollectRootMoves(const SearchLimits& limits);
  // One iteration for the line-th best move; false when the search was stopped.
  bool SearchLineOf(AlphaBetaTree* tree, size_t line, int depth);
  bool SearchWindow(AlphaBetaTree* tree, size_t line, int depth, int alpha, int beta);
  bool IsEnough(const SearchLimits& limits, SearchClock* clock, int depth, int stable_iterations);
  SearchProgress Progress(const AlphaBetaTree& tree, const SearchClock& clock, size_t lines) const;
  Move PonderMove(const RootMove& best) const;

  const AlphaBetaOptions options_;
  SearchClock::Now now_ = SteadyNowMs;
  TranspositionTable table_;
  MoveOrder order_;
  SearchPath path_;
  std::vector<RootMove> root_moves_;
};

}  // namespace chuhe
