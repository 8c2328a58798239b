#include "engine/eval/spread_evaluator.h"

#include <algorithm>
#include <utility>

#include "engine/eval/shares.h"

namespace chuhe {

SpreadEvaluator::SpreadEvaluator(std::vector<std::unique_ptr<Evaluator>> parts)
    : parts_(std::move(parts)) {
  for (size_t i = 1; i < parts_.size(); ++i) {
    workers_.push_back(std::make_unique<Worker>(parts_[i].get()));
  }
}

SpreadEvaluator::~SpreadEvaluator() {
  for (const auto& worker : workers_) {
    worker->is_closing = true;
    worker->has_work.release();
  }
}

void SpreadEvaluator::Worker::Run() {
  while (true) {
    has_work.acquire();
    if (is_closing) return;
    evaluator->Evaluate(share);
    is_done.release();
  }
}

void SpreadEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  // With few requests some parts rest.
  const size_t parts = std::min(parts_.size(), std::max<size_t>(requests.size(), 1));
  for (size_t part = 1; part < parts; ++part) {
    workers_[part - 1]->share = ShareOf(requests, part, parts);
    workers_[part - 1]->has_work.release();
  }
  parts_.front()->Evaluate(ShareOf(requests, 0, parts));
  for (size_t part = 1; part < parts; ++part) workers_[part - 1]->is_done.acquire();
}

}  // namespace chuhe
