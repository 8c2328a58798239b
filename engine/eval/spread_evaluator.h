// One batch spread over several single-thread evaluators, each with a thread of its own.
//
// On a CPU this is how a search uses several cores: one evaluator a core is faster than one that
// shares its work among cores inside every layer.
#pragma once

#include <memory>
#include <semaphore>
#include <span>
#include <thread>
#include <vector>

#include "engine/eval/evaluator.h"

namespace chuhe {

// Evaluate() is called by one thread at a time, which takes the first share itself.
class SpreadEvaluator : public Evaluator {
 public:
  // At least one part. The answers must not depend on which part gives them.
  explicit SpreadEvaluator(std::vector<std::unique_ptr<Evaluator>> parts);
  ~SpreadEvaluator() override;

  void Evaluate(std::span<EvaluationRequest> requests) override;

 private:
  // One part beside the first, with its thread. The semaphores hand `share` over and back.
  struct Worker {
    explicit Worker(Evaluator* part) : evaluator(part), thread([this] { Run(); }) {}
    void Run();

    Evaluator* evaluator;
    std::span<EvaluationRequest> share;
    bool is_closing = false;
    std::binary_semaphore has_work{0};
    std::binary_semaphore is_done{0};
    std::jthread thread;  // last: starts when all else is there
  };

  std::vector<std::unique_ptr<Evaluator>> parts_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace chuhe
