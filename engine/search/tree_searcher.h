// The tree search behind the engine interface: limits, time, lines to show.
#pragma once

#include <vector>

#include "engine/eval/evaluator.h"
#include "engine/search/searcher.h"
#include "engine/search/tree_search.h"

namespace chuhe {

// A mean value from −1 to 1 as centipawns: 90 · tan(1.5637541897 · value), the scale that users of
// Leela Chess Zero know.
int CentipawnsOfValue(float value);

class TreeSearcher : public Searcher {
 public:
  // The evaluator must outlive the searcher.
  TreeSearcher(Evaluator* evaluator, const TreeSearchOptions& options);

  void SetGame(const Game& game) override;
  void Clear() override;
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override;

  const TreeSearch& tree_search() const { return search_; }

 private:
  // Root moves that the limits allow.
  std::vector<Move> AllowedMoves(const SearchLimits& limits) const;
  SearchProgress Progress(int multipv, int64_t nodes, int64_t time_ms) const;
  // Whether no other move can still come before the best one within that many visits.
  bool IsSettled(int64_t visits_left) const;

  TreeSearch search_;
};

}  // namespace chuhe
