// Tree searches without a network, for the tests of whole sessions.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/eval/simple_evaluators.h"
#include "engine/protocol/searcher_holder.h"
#include "engine/search/tree_searcher.h"

namespace chuhe {

// A tree search over an evaluator that it owns.
class OwningTreeSearcher : public TreeSearcher {
 public:
  OwningTreeSearcher(std::unique_ptr<Evaluator> evaluator, const TreeSearcherOptions& options)
      : TreeSearcher(evaluator.get(), options), evaluator_(std::move(evaluator)) {}

 private:
  std::unique_ptr<Evaluator> evaluator_;
};

// Searchers that plan by a hash of the positions, as if by the network of that name.
inline SearcherFactory TreeFactory(const std::string& network,
                                   const TreeSearchOptions& search = {}) {
  return [network, search](const SearcherOptions&) -> absl::StatusOr<MadeSearcher> {
    MadeSearcher made;
    made.searcher = std::make_unique<OwningTreeSearcher>(
        std::make_unique<HashEvaluator>(),
        TreeSearcherOptions{.search = search, .network = network});
    return made;
  };
}

}  // namespace chuhe
