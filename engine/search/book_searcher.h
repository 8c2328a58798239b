// A searcher that plays from an opening book as long as it knows the position.
#pragma once

#include <memory>

#include "engine/base/random.h"
#include "engine/search/opening_book.h"
#include "engine/search/searcher.h"

namespace chuhe {

// Book moves are drawn by their weights. Analysis (infinite, pondering, several lines) and searches
// of given moves never come from the book.
class BookSearcher : public Searcher {
 public:
  BookSearcher(OpeningBook book, uint64_t seed, std::unique_ptr<Searcher> searcher);

  void SetGame(const Game& game) override;
  void Clear() override { searcher_->Clear(); }
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override;
  std::optional<StoredPosition> Probe(const Game& game) const override {
    return searcher_->Probe(game);
  }
  absl::Status SaveTree(const std::string& path) override { return searcher_->SaveTree(path); }
  absl::Status LoadTree(const std::string& path, RuleSet rules) override {
    return searcher_->LoadTree(path, rules);
  }

 private:
  Move DrawBookMove();

  OpeningBook book_;
  Random random_;
  std::unique_ptr<Searcher> searcher_;
  Game game_;
};

}  // namespace chuhe
