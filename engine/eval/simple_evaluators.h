// Evaluators without a network, for tests and for measuring the search itself.
#pragma once

#include "engine/eval/evaluator.h"

namespace chuhe {

// All moves alike, all positions even: what is found is found by search and rules alone.
class UniformEvaluator : public Evaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override;
};

// Unequal priors and values that are a hash of the position, at next to no cost: a tree of natural
// shape, by which to measure the speed and memory of the search.
class HashEvaluator : public Evaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override;
};

}  // namespace chuhe
