// An evaluator that is right and slow, for tests.
#pragma once

#include "engine/eval/evaluator.h"
#include "nets/reference/reference_network.h"

namespace chuhe {

// Owned by one thread.
class ReferenceEvaluator : public Evaluator {
 public:
  explicit ReferenceEvaluator(const NetworkWeights& weights) : network_(weights) {}

  void Evaluate(std::span<EvaluationRequest> requests) override;

 private:
  ReferenceNetwork network_;
};

}  // namespace chuhe
