// A searcher that plays the first allowed move and remembers what it was asked.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/protocol/searcher_holder.h"
#include "engine/search/searcher.h"

namespace chuhe {

// What fake searchers were asked and what they are to answer. Thread-safe but for the settings,
// which are made before the first search.
class FakeLog {
 public:
  struct Call {
    std::string fen;  // of the position that was searched
    int plies = 0;
    RuleSet rules = RuleSet::kComputer;
    SearchLimits limits;
    bool was_hit = false;      // ponderhit came
    bool was_stopped = false;  // stop came
  };

  void Add(Call call);
  std::vector<Call> calls() const;
  Call last_call() const;
  void CountClear();
  int clears() const;

  Score score = {.centipawns = 40, .mate_in = {}};
  std::optional<std::array<int, 3>> wdl;
  std::optional<StoredPosition> stored;  // about every position
  bool ends_at_once = false;             // also where it should not, as on finding a mate

 private:
  mutable std::mutex mutex_;
  std::vector<Call> calls_;
  int clears_ = 0;
};

// Infinite searches and those of kEndlessDepth and more end by the signal only.
inline constexpr int kEndlessDepth = 50;

class FakeSearcher : public Searcher {
 public:
  explicit FakeSearcher(std::shared_ptr<FakeLog> log) : log_(std::move(log)) {}
  void SetGame(const Game& game) override { game_ = std::make_unique<Game>(game); }
  void Clear() override { log_->CountClear(); }
  std::optional<StoredPosition> Probe(const Game& /*game*/) const override { return log_->stored; }
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override;

 private:
  std::shared_ptr<FakeLog> log_;
  std::unique_ptr<Game> game_;
};

// Searchers with that log and no notices.
SearcherFactory FakeFactory(std::shared_ptr<FakeLog> log);

}  // namespace chuhe
