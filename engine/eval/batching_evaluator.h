// Joins the requests of many threads to large batches, which devices need to be fast.
//
//   thread ─► Front ─┐                       ┌─► runner ─► evaluator
//   thread ─► Front ─┼─► calls, in order ────┤             (a device)
//   thread ─► Front ─┘   of their arrival    └─► runner ─► evaluator
//
// Each evaluator has a runner, a thread that takes the next batch when it is free. A batch starts
// as soon as it is full, or every front waits (nothing more can come), or its oldest call has
// waited as long as it may.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/eval/evaluator.h"

namespace chuhe {

struct BatchingOptions {
  size_t max_batch = 256;                   // requests; at least 1
  std::chrono::microseconds max_wait{500};  // of a call for others to join it
};

// Thread-safe. Calls are served in the order of their arrival; one that is larger than max_batch
// goes through in several batches.
class BatchingEvaluator {
 public:
  class Front;

  struct Statistics {
    int64_t requests = 0;
    // By what started them: max_batch reached, every front waiting, max_wait over.
    int64_t full_batches = 0;
    int64_t complete_batches = 0;
    int64_t overdue_batches = 0;

    int64_t batches() const { return full_batches + complete_batches + overdue_batches; }
    double mean_batch_size() const {
      return batches() == 0 ? 0 : static_cast<double>(requests) / static_cast<double>(batches());
    }
  };

  // At least one evaluator; each is used by its runner alone. Where an evaluator takes several
  // batches at once it gets them whenever they are there; to keep a device busy while batches are
  // still collected, give it two evaluators. The answers must not depend on which one gives them.
  BatchingEvaluator(std::vector<std::unique_ptr<Evaluator>> evaluators,
                    const BatchingOptions& options);
  BatchingEvaluator(const BatchingEvaluator&) = delete;
  BatchingEvaluator& operator=(const BatchingEvaluator&) = delete;
  // All fronts must be gone.
  ~BatchingEvaluator();

  // One for each thread that asks. A front that nobody asks through makes the others wait max_wait:
  // end it when its thread is done. It must not outlive this.
  std::unique_ptr<Front> NewFront();

  Statistics statistics() const;

 private:
  // Requests that a front has submitted. They stay with the front; guarded by mutex_.
  struct Call {
    std::span<EvaluationRequest> requests;
    size_t taken = 0;     // into batches
    size_t answered = 0;  // of those
    std::chrono::steady_clock::time_point since;
    Front* front = nullptr;
  };
  // Part of a call in a batch.
  struct Piece {
    Call* call;
    std::span<EvaluationRequest> requests;
  };
  // Owned by a runner.
  struct Batch {
    std::vector<Piece> pieces;
    std::vector<EvaluationRequest> room;    // where pieces are joined
    std::span<EvaluationRequest> requests;  // what the evaluator sees
  };
  enum class Start { kNotYet, kFull, kComplete, kOverdue };

  void Run(Evaluator* evaluator);
  // Fills a batch when one is to start. If `may_wait`, blocks until there is one, and returns false
  // only when this is closing; else returns false when there is none now.
  bool Take(bool may_wait, Batch* batch) ABSL_LOCKS_EXCLUDED(mutex_);
  Start ReasonToStart() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakePieces(Batch* batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Count(Start reason, const Batch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Wakes a runner if there is something for it now.
  void WakeRunner() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Join(Batch* batch);
  void Deliver(const Batch& batch) ABSL_LOCKS_EXCLUDED(mutex_);

  const BatchingOptions options_;
  const std::vector<std::unique_ptr<Evaluator>> evaluators_;

  mutable Mutex mutex_;
  CondVar has_work_;                                 // for runners
  std::deque<Call*> calls_ ABSL_GUARDED_BY(mutex_);  // not taken or taken in part
  size_t pending_ ABSL_GUARDED_BY(mutex_) = 0;       // requests in them that are not taken
  int fronts_ ABSL_GUARDED_BY(mutex_) = 0;           // that live
  int waiting_fronts_ ABSL_GUARDED_BY(mutex_) = 0;   // that cannot go on before an answer
  bool is_closing_ ABSL_GUARDED_BY(mutex_) = false;
  Statistics statistics_ ABSL_GUARDED_BY(mutex_);

  std::vector<std::jthread> runners_;  // last: start when all else is there
};

// What a thread asks through. Owned by one thread. Its answers are those of the evaluators behind.
class BatchingEvaluator::Front : public Evaluator {
 public:
  // Blocks until what was submitted is answered.
  ~Front() override;

  void Evaluate(std::span<EvaluationRequest> requests) override;
  void Submit(std::span<EvaluationRequest> requests) override;
  void Wait() override;
  int max_in_flight() const override { return kMaxInFlight; }

 private:
  friend class BatchingEvaluator;
  static constexpr int kMaxInFlight = 2;

  explicit Front(BatchingEvaluator* owner) : owner_(owner) {}

  BatchingEvaluator* owner_;
  Call calls_[kMaxInFlight];  // used in turn
  size_t submitted_ = 0;
  size_t fetched_ = 0;
  // Guarded by the owner's mutex.
  const Call* awaited_ = nullptr;  // by a front that waits
  CondVar answered_;
};

}  // namespace chuhe
