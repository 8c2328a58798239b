// One set of evaluators for all games of a match that are played with one network, so that their
// questions are answered in large batches.
//
//   game's thread ─► Seat ─┐   the thread that completes a batch evaluates it itself,
//   game's thread ─► Seat ─┼─► while the others sleep; so a game that plays alone
//   game's thread ─► Seat ─┘   asks its evaluator as if nobody else were there
//
// A batch starts when it is full, or when nothing more can come because every seat that searches
// waits. No time limit is needed, and no thread of its own: between the threads of a batch nothing
// is handed over but sleep. (BatchingEvaluator is for a device that must never be idle.)
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

namespace chuhe {

// Thread-safe.
class SharedEvaluator {
 public:
  class Seat;

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
  // Where a seat's thread sleeps. Bells have locks of their own and stay when seats go, so that
  // they can be rung without the lock that whoever wakes up may need.
  class Bell {
   public:
    void Ring();
    void Wait();

   private:
    Mutex mutex_;
    CondVar rung_;
    bool is_rung_ ABSL_GUARDED_BY(mutex_) = false;
  };
  // What a seat waits for.
  struct Call {
    std::span<EvaluationRequest> requests;
    Bell* bell = nullptr;  // rung when it is answered, or may evaluate the next batch
    bool is_answered = false;
  };
  struct Worker {
    std::unique_ptr<Evaluator> evaluator;
    std::vector<EvaluationRequest> room;  // where calls are joined
  };

  void Evaluate(std::span<EvaluationRequest> requests, Bell* bell) ABSL_LOCKS_EXCLUDED(mutex_);
  bool MayStart() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The calls of the next batch, oldest first.
  std::vector<Call*> TakeCalls() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The bell of a thread that waits and is to evaluate what is ready; null if nothing is.
  Bell* NextLeader() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Evaluates a batch, and answers those in it.
  void Lead(Call* own) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Answer(const std::vector<Call*>& calls, Worker* worker);

  const size_t max_batch_;
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_ ABSL_GUARDED_BY(mutex_);
  std::vector<Worker*> free_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Bell>> bells_ ABSL_GUARDED_BY(mutex_);
  std::vector<Bell*> free_bells_ ABSL_GUARDED_BY(mutex_);
  std::deque<Call*> calls_ ABSL_GUARDED_BY(mutex_);  // not taken
  size_t pending_ ABSL_GUARDED_BY(mutex_) = 0;       // requests in them
  int searching_ ABSL_GUARDED_BY(mutex_) = 0;        // seats
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;          // of those
  Statistics statistics_ ABSL_GUARDED_BY(mutex_);
};

// What a search asks. Owned by one thread.
class SharedEvaluator::Seat : public Evaluator {
 public:
  explicit Seat(std::shared_ptr<SharedEvaluator> owner);
  ~Seat() override;
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  // Between these two others wait for what this one asks.
  void Enter();
  void Leave();
  // Only between the two.
  void Evaluate(std::span<EvaluationRequest> requests) override {
    owner_->Evaluate(requests, bell_);
  }

 private:
  std::shared_ptr<SharedEvaluator> owner_;
  Bell* bell_ = nullptr;
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
