#include "engine/search/analyzer.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "engine/board/movegen.h"

namespace chuhe {
namespace {

// A win that may take longer than need be is reported when no mate in so many moves is left.
constexpr int kMatesAlwaysExcluded = 3;
// Of the search for mates, for each batch: about a millisecond.
constexpr int64_t kMateSteps = 20'000;

// Behind all of its priority and above.
template <typename T, typename PriorityOf>
void InsertByPriority(T item, int priority, const PriorityOf& priority_of, std::vector<T>* items) {
  const auto is_lower = [&](const T& other) { return priority_of(other) < priority; };
  items->insert(std::find_if(items->begin(), items->end(), is_lower), std::move(item));
}

}  // namespace

Analyzer::Analyzer(Evaluator* evaluator, const AnalysisOptions& options, DoneSink on_done)
    : evaluator_(evaluator),
      options_(options),
      on_done_(std::move(on_done)),
      requests_(static_cast<size_t>(options.batch_size)) {
  options_.search.max_tree_bytes /= static_cast<size_t>(options_.max_active);
}

void Analyzer::Add(AnalysisOrder order) {
  assert(order.nodes > 0 || order.movetime_ms > 0);
  const int priority = order.priority;
  InsertByPriority(
      std::move(order), priority, [](const AnalysisOrder& other) { return other.priority; },
      &waiting_);
}

bool Analyzer::Cancel(const std::string& id) {
  const size_t waiting =
      std::erase_if(waiting_, [&](const AnalysisOrder& order) { return order.id == id; });
  const size_t active =
      std::erase_if(active_, [&](const auto& analysis) { return analysis->order.id == id; });
  return waiting + active > 0;
}

void Analyzer::Activate() {
  while (!waiting_.empty() && static_cast<int>(active_.size()) < options_.max_active) {
    auto analysis = std::make_unique<Analysis>(std::move(waiting_.front()), options_.search);
    waiting_.erase(waiting_.begin());
    analysis->search.SetRoot(analysis->order.game);
    const int priority = analysis->order.priority;
    InsertByPriority(
        std::move(analysis), priority,
        [](const std::unique_ptr<Analysis>& other) { return other->order.priority; }, &active_);
  }
}

bool Analyzer::IsComplete(const Analysis& analysis) const {
  const AnalysisOrder& order = analysis.order;
  if (analysis.search.is_decided()) {
    return !analysis.search.MayHaveShorterMate(kMatesAlwaysExcluded);
  }
  if (order.nodes > 0 && analysis.search.visits() >= order.nodes) return true;
  // At least one move is looked at, however short the time.
  return order.movetime_ms > 0 && analysis.search.visits() > 0 &&
         Clock::now() - analysis.begin >= std::chrono::milliseconds(order.movetime_ms);
}

int Analyzer::Collect() {
  int collected = 0;
  size_t served = 0;
  for (const auto& analysis : active_) {
    // Those of the same priority that have not been served yet share what room is left.
    const auto is_equal = [&](const auto& other) {
      return other->order.priority == analysis->order.priority;
    };
    const auto rest = active_.begin() + static_cast<std::ptrdiff_t>(served++);
    const auto equals = static_cast<int>(std::count_if(rest, active_.end(), is_equal));
    const int room = options_.batch_size - collected;
    const int share = (room + equals - 1) / equals;
    const AnalysisOrder& order = analysis->order;
    const int64_t left =
        order.nodes > 0 ? order.nodes - analysis->search.visits() : std::numeric_limits<int>::max();
    const int max_visits = static_cast<int>(std::min<int64_t>(left, 8 * options_.batch_size));
    analysis->asked = analysis->search.SelectLeaves(
        {requests_.data() + collected, static_cast<size_t>(share)}, max_visits);
    collected += analysis->asked;
  }
  return collected;
}

void Analyzer::Step() {
  Activate();
  const int collected = Collect();
  evaluator_->Evaluate({requests_.data(), static_cast<size_t>(collected)});
  size_t begin = 0;
  for (const auto& analysis : active_) {
    const auto asked = static_cast<size_t>(analysis->asked);
    analysis->search.ApplyEvaluations({requests_.data() + begin, asked});
    begin += asked;
    if (analysis->search.MayHaveShorterMate(kMatesAlwaysExcluded)) {
      analysis->search.SeekShorterMate(kMateSteps, kMatesAlwaysExcluded);
    }
  }
  for (size_t i = 0; i < active_.size();) {
    if (!IsComplete(*active_[i])) {
      ++i;
      continue;
    }
    const std::unique_ptr<Analysis> done = std::move(active_[i]);
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(i));
    on_done_(done->order, done->search);
  }
}

}  // namespace chuhe
