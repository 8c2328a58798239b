// The tree search behind the engine interface: limits, time, lines to show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/eval/evaluator.h"
#include "engine/search/searcher.h"
#include "engine/search/time_manager.h"
#include "engine/search/tree_search.h"

namespace chuhe {

// A mean value from −1 to 1 as centipawns: 90 · tan(1.5637541897 · value), the scale that users of
// Leela Chess Zero know.
int CentipawnsOfValue(float value);

// A root move as users are shown it: score, chances, the line that starts with it.
SearchLine MakeSearchLine(const TreeSearch& search, const Edge& edge);

struct TreeSearcherOptions {
  TreeSearchOptions search;
  // Above 0 the move is drawn, with chances of visits to the power of 1 / temperature.
  float temperature = 0;
  uint64_t seed = 0;  // of that
  // By which files of trees know the network; any text that tells networks apart.
  std::string network;
};

class TreeSearcher : public Searcher {
 public:
  // The evaluator must outlive the searcher.
  TreeSearcher(Evaluator* evaluator, const TreeSearcherOptions& options);
  TreeSearcher(Evaluator* evaluator, const TreeSearchOptions& options)
      : TreeSearcher(evaluator, TreeSearcherOptions{.search = options}) {}

  void SetGame(const Game& game) override;
  void Clear() override;
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override;
  std::optional<StoredPosition> Probe(const Game& game) const override;
  absl::Status SaveTree(const std::string& path) override;
  absl::Status LoadTree(const std::string& path, RuleSet rules) override;

  const TreeSearch& tree_search() const { return search_; }

 private:
  // Root moves that the limits allow.
  std::vector<Move> AllowedMoves(const SearchLimits& limits) const;
  SearchProgress Progress(int multipv, int64_t nodes, int64_t time_ms) const;
  // Whether no other move can still come before the best one within that many visits.
  bool IsSettled(int64_t visits_left) const;

  // Whether the best move will stay so until the time aimed at is over, at the pace so far.
  bool IsSettledInTime(SearchClock* clock, int64_t nodes) const;
  // Where the root is won or lost, but perhaps more quickly: looks on for a while, and says how
  // many nodes that counts for; 0 if it is enough.
  int64_t SeekShorterMate(const SearchLimits& limits);
  // One of the root moves by the temperature; moves that lose for certain are not drawn.
  Edge DrawMove();

  TreeSearch search_;
  const std::string network_;
  float temperature_;
  Random random_;
};

}  // namespace chuhe
