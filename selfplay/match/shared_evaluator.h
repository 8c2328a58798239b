// One set of evaluators for all games of a match that are played with one network, so that their
// questions are answered in large batches.
//
//   game ─► Seat ─┐   the game that completes a batch evaluates it itself,
//   game ─► Seat ─┼─► while the others wait; so a game that plays alone
//   game ─► Seat ─┘   asks its evaluator as if nobody else were there
//
// A batch starts when it is full, or when nothing more can come because every seat that searches
// waits. No time limit is needed, and no thread of its own: between the games of a batch nothing is
// handed over but turns. (BatchingEvaluator is for a device that must never be idle.)
//
// Games are threads, or fibers of a few threads (fiber_group.h). Fibers are joined with those of
// their own thread alone: while it evaluates it can go on with none of them, so that another thread
// that needed their questions would have nothing to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/eval/evaluator.h"
#include "engine/search/searcher.h"
#include "engine/search/tree_searcher.h"
#include "selfplay/match/bell.h"
#include "selfplay/match/fiber_group.h"

namespace chuhe {

// Thread-safe.
class SharedEvaluator {
 public:
  class Seat;

  // Enough on a CPU. A core is no faster with more than 32, but between two batches the games push
  // the network out of its caches.
  static constexpr size_t kBatchOnCpu = 64;

  // `max_batch`: requests that are evaluated at once, at least 1.
  explicit SharedEvaluator(size_t max_batch) : max_batch_(max_batch) {}
  SharedEvaluator(const SharedEvaluator&) = delete;
  SharedEvaluator& operator=(const SharedEvaluator&) = delete;
  // All seats must be gone.
  ~SharedEvaluator() = default;

  // Another one, for another core. Its answers must be those of the others. There must be one
  // before a seat asks.
  void Add(std::unique_ptr<Evaluator> evaluator);
  size_t evaluators() const;

  struct Statistics {
    int64_t batches = 0;
    int64_t requests = 0;
  };
  Statistics statistics() const;

 private:
  // What a seat waits for.
  struct Call {
    std::span<EvaluationRequest> requests;
    Bell* bell = nullptr;  // rung when it is answered, or may evaluate the next batch
    bool is_answered = false;
  };
  // Seats whose calls are joined: of the fibers of one thread, or of all threads without fibers.
  struct Table {
    const FiberGroup* fibers = nullptr;
    std::deque<Call*> calls;  // not taken
    size_t pending = 0;       // requests in them
    int searching = 0;        // seats
    int waiting = 0;          // of those
  };
  struct Worker {
    std::unique_ptr<Evaluator> evaluator;
    std::vector<EvaluationRequest> room;  // where calls are joined
  };

  void Evaluate(std::span<EvaluationRequest> requests, Table* table, Bell* bell)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Where who calls this sits while it searches.
  Table* FindTable() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool MayStart(const Table& table) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The calls of the next batch, oldest first.
  std::vector<Call*> TakeCalls(Table* table) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The bells of those who wait and may evaluate what is ready, one a table.
  void AddLeaders(std::vector<Bell*>* bells) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Evaluates a batch, and answers those in it.
  void Lead(Table* table, Call* own) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Answer(const std::vector<Call*>& calls, Worker* worker);

  const size_t max_batch_;
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_ ABSL_GUARDED_BY(mutex_);
  std::vector<Worker*> free_ ABSL_GUARDED_BY(mutex_);
  // Bells stay when seats go, so that they can be rung without the lock that whoever wakes up may
  // need.
  std::vector<std::unique_ptr<Bell>> bells_ ABSL_GUARDED_BY(mutex_);
  std::vector<Bell*> free_bells_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Table>> tables_ ABSL_GUARDED_BY(mutex_);
  Statistics statistics_ ABSL_GUARDED_BY(mutex_);
};

// What a search asks. Owned by one thread.
class SharedEvaluator::Seat : public Evaluator {
 public:
  explicit Seat(std::shared_ptr<SharedEvaluator> owner);
  ~Seat() override;
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  // Between these two, which are for the same thread or fiber, others wait for what this one asks.
  void Enter();
  void Leave();
  // Only between the two.
  void Evaluate(std::span<EvaluationRequest> requests) override {
    owner_->Evaluate(requests, table_, bell_);
  }

 private:
  std::shared_ptr<SharedEvaluator> owner_;
  Bell* bell_ = nullptr;
  Table* table_ = nullptr;  // while it searches
};

// A tree search on a seat. Owned by one thread.
class SharedTreeSearcher : public Searcher {
 public:
  SharedTreeSearcher(std::shared_ptr<SharedEvaluator> evaluator, const TreeSearcherOptions& options)
      : seat_(std::move(evaluator)), searcher_(&seat_, options) {}

  void SetGame(const Game& game) override { searcher_.SetGame(game); }
  void Clear() override { searcher_.Clear(); }
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override;

 private:
  SharedEvaluator::Seat seat_;
  TreeSearcher searcher_;
};

}  // namespace chuhe
