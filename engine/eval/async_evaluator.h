// Any evaluator on a thread of its own, so that its user can collect the next batch meanwhile.
#pragma once

#include <memory>
#include <semaphore>
#include <span>
#include <thread>

#include "engine/base/bounded_queue.h"
#include "engine/eval/evaluator.h"

namespace chuhe {

// Owned by one thread, as evaluators are; the inner one runs on the thread in here alone.
class AsyncEvaluator : public Evaluator {
 public:
  explicit AsyncEvaluator(std::unique_ptr<Evaluator> inner);
  // Blocks until what was submitted is done.
  ~AsyncEvaluator() override;

  void Evaluate(std::span<EvaluationRequest> requests) override;
  void Submit(std::span<EvaluationRequest> requests) override;
  void Wait() override;
  int max_in_flight() const override { return kMaxInFlight; }

 private:
  // One at work and one ready for when it is done.
  static constexpr int kMaxInFlight = 2;

  void Run();

  std::unique_ptr<Evaluator> inner_;
  BoundedQueue<std::span<EvaluationRequest>> batches_{kMaxInFlight};
  std::counting_semaphore<> answered_{0};
  std::jthread thread_;  // last: starts when all else is there
};

}  // namespace chuhe
