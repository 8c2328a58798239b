#include "engine/eval/alternating_evaluator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/eval/shares.h"

namespace chuhe {

AlternatingEvaluator::AlternatingEvaluator(std::vector<std::unique_ptr<Evaluator>> parts)
    : parts_(std::move(parts)) {
  assert(!parts_.empty());
  // Going in turn, each part gets as many as the others.
  int of_each = parts_.front()->max_in_flight();
  for (const auto& part : parts_) of_each = std::min(of_each, part->max_in_flight());
  max_in_flight_ = of_each * static_cast<int>(parts_.size());
}

void AlternatingEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  assert(submitted_ == fetched_);
  const size_t parts = std::min(parts_.size(), std::max<size_t>(requests.size(), 1));
  for (size_t i = 0; i < parts; ++i) parts_[i]->Submit(ShareOf(requests, i, parts));
  for (size_t i = 0; i < parts; ++i) parts_[i]->Wait();
}

void AlternatingEvaluator::Submit(std::span<EvaluationRequest> requests) {
  assert(submitted_ - fetched_ < static_cast<size_t>(max_in_flight_));
  parts_[submitted_++ % parts_.size()]->Submit(requests);
}

void AlternatingEvaluator::Wait() {
  assert(fetched_ < submitted_);
  parts_[fetched_++ % parts_.size()]->Wait();
}

}  // namespace chuhe
