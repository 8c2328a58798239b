// Many positions analysed at once: every position has a tree of its own, and their leaves share the
// evaluator's batches.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/eval/evaluator.h"
#include "engine/rules/game.h"
#include "engine/search/tree_search.h"

namespace chuhe {

struct AnalysisOrder {
  std::string id;  // the asker's; answers carry it
  Game game;
  int64_t nodes = 0;        // visits to make; 0: as many as the time allows
  int64_t movetime_ms = 0;  // from when the analysis begins; 0: as long as the visits take
  int multipv = 1;
  int priority = 0;  // higher ones are served first
};

struct AnalysisOptions {
  TreeSearchOptions search;  // max_tree_bytes is for all trees together
  int batch_size = 32;       // positions evaluated at once
  int max_active = 16;       // positions analysed at the same time; others wait
};

// Owned by one thread.
class Analyzer {
 public:
  // Called with the search as it stands when an order is complete.
  using DoneSink = std::function<void(const AnalysisOrder&, const TreeSearch&)>;

  // The evaluator must outlive the analyzer.
  Analyzer(Evaluator* evaluator, const AnalysisOptions& options, DoneSink on_done);

  // Needs nodes or movetime_ms. A position without legal moves is done at once.
  void Add(AnalysisOrder order);
  // Drops the orders of that id that are not done; false if there is none.
  bool Cancel(const std::string& id);

  // Evaluates one batch and reports what is complete by then. Blocks for as long as that takes.
  void Step();
  // Nothing is left to do.
  bool is_idle() const { return waiting_.empty() && active_.empty(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Analysis {
    Analysis(AnalysisOrder wanted, const TreeSearchOptions& options)
        : order(std::move(wanted)), search(nullptr, options) {}

    AnalysisOrder order;
    TreeSearch search;
    Clock::time_point begin = Clock::now();
    int asked = 0;  // of the present batch
  };

  void Activate();
  // Fills the batch from the active analyses, those of the highest priority first; equal ones
  // share.
  int Collect();
  bool IsComplete(const Analysis& analysis) const;

  Evaluator* evaluator_;
  AnalysisOptions options_;
  DoneSink on_done_;
  std::vector<AnalysisOrder> waiting_;             // by priority, then by arrival
  std::vector<std::unique_ptr<Analysis>> active_;  // likewise
  std::vector<EvaluationRequest> requests_;
};

}  // namespace chuhe
