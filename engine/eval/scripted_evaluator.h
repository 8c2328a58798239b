// An evaluator that answers as it is told: a fake for tests.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/eval/evaluator.h"
#include "engine/eval/simple_evaluators.h"

namespace chuhe {

// Owned by one thread.
class ScriptedEvaluator : public Evaluator {
 public:
  // Called for each request in turn, which holds the answer of UniformEvaluator already: a script
  // changes what matters to it.
  using Script = std::function<void(EvaluationRequest* request)>;

  explicit ScriptedEvaluator(Script script) : script_(std::move(script)) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    UniformEvaluator().Evaluate(requests);
    for (EvaluationRequest& request : requests) script_(&request);
    batch_sizes_.push_back(requests.size());
  }

  // Of all batches so far.
  const std::vector<size_t>& batch_sizes() const { return batch_sizes_; }

 private:
  Script script_;
  std::vector<size_t> batch_sizes_;
};

}  // namespace chuhe
