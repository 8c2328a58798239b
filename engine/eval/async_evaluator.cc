#include "engine/eval/async_evaluator.h"

#include <utility>

namespace chuhe {

AsyncEvaluator::AsyncEvaluator(std::unique_ptr<Evaluator> inner)
    : inner_(std::move(inner)), thread_([this] { Run(); }) {}

AsyncEvaluator::~AsyncEvaluator() { batches_.Close(); }

void AsyncEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  Submit(requests);
  Wait();
}

void AsyncEvaluator::Submit(std::span<EvaluationRequest> requests) { batches_.Push(requests); }

void AsyncEvaluator::Wait() { answered_.acquire(); }

void AsyncEvaluator::Run() {
  while (const auto batch = batches_.Pop()) {
    inner_->Evaluate(*batch);
    answered_.release();
  }
}

}  // namespace chuhe
