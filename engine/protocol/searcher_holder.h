// Keeps the searcher of a session, made to order by whoever wired the program.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/protocol/engine_options.h"
#include "engine/search/searcher.h"

namespace chuhe {

struct MadeSearcher {
  std::unique_ptr<Searcher> searcher;
  std::vector<std::string> notices;  // to be told to the user once
};

// May take long, such as for reading a network.
using SearcherFactory = std::function<absl::StatusOr<MadeSearcher>(const SearcherOptions&)>;

// Owned by the thread that searches.
class SearcherHolder {
 public:
  explicit SearcherHolder(SearcherFactory factory) : factory_(std::move(factory)) {}

  // Makes a searcher, unless the present one was made from the same options. When that fails, the
  // present one stays, and the notices say why.
  void Prepare(const SearcherOptions& options);
  // A new game begins.
  void Clear();

  // Null when none could be made.
  Searcher* searcher() { return made_.searcher.get(); }
  // Those not taken yet. What was said once is not said again.
  std::vector<std::string> TakeNotices();

  // Counts the moves of this game, the present one included, that looked lost without a break.
  int CountLostMoves(bool looks_lost) { return lost_moves_ = looks_lost ? lost_moves_ + 1 : 0; }

 private:
  SearcherFactory factory_;
  std::optional<SearcherOptions> options_;
  MadeSearcher made_;
  std::vector<std::string> notices_;
  std::vector<std::string> told_;
  int lost_moves_ = 0;
};

}  // namespace chuhe
