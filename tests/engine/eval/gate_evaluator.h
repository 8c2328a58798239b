// An evaluator that does nothing before it is let: for tests of who waits for whom.
#pragma once

#include <semaphore>
#include <span>

#include "tests/engine/eval/questions.h"

namespace chuhe {

// Lets as many batches through as were released. Thread-safe.
struct Gate {
  std::counting_semaphore<> has_begun{0};  // released by the evaluator at the start of each batch
  std::counting_semaphore<> may_end{0};
};

class GateEvaluator : public WholeQuestionEvaluator {
 public:
  explicit GateEvaluator(Gate* gate) : gate_(gate) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    gate_->has_begun.release();
    gate_->may_end.acquire();
    WholeQuestionEvaluator::Evaluate(requests);
  }

 private:
  Gate* gate_;
};

}  // namespace chuhe
