#include "engine/eval/caching_evaluator.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "engine/eval/request_copy.h"

namespace chuhe {

CachingEvaluator::CachingEvaluator(std::unique_ptr<Evaluator> inner, EvaluationCache* cache,
                                   std::string_view salt)
    : inner_(std::move(inner)),
      cache_(cache),
      salt_(SaltOf(salt)),
      batches_(static_cast<size_t>(inner_->max_in_flight())) {}

void CachingEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  assert(submitted_ == fetched_);
  Batch& batch = batches_.front();
  const auto asked = Begin(requests, &batch);
  if (!asked.empty()) inner_->Evaluate(asked);
  Finish(&batch);
}

void CachingEvaluator::Submit(std::span<EvaluationRequest> requests) {
  assert(submitted_ - fetched_ < batches_.size());
  const auto asked = Begin(requests, &batches_[submitted_++ % batches_.size()]);
  if (!asked.empty()) inner_->Submit(asked);
}

void CachingEvaluator::Wait() {
  assert(fetched_ < submitted_);
  Batch& batch = batches_[fetched_++ % batches_.size()];
  if (!batch.asked.empty()) inner_->Wait();
  Finish(&batch);
}

std::span<EvaluationRequest> CachingEvaluator::Begin(std::span<EvaluationRequest> requests,
                                                     Batch* batch) {
  batch->requests = requests;
  batch->keys.resize(requests.size());
  batch->asked.clear();
  batch->moved.clear();
  batch->twins.clear();
  for (size_t i = 0; i < requests.size(); ++i) {
    batch->keys[i] = KeyOf(requests[i], salt_);
    cache_->Prefetch(batch->keys[i]);
  }
  table_.assign(std::bit_ceil(2 * requests.size()), -1);
  for (size_t i = 0; i < requests.size(); ++i) {
    const auto place = static_cast<int32_t>(i);
    if (cache_->Find(batch->keys[i], &requests[i])) continue;
    const int32_t first = FirstEqual(batch->keys, place);
    if (first == place) {
      batch->asked.push_back(place);
    } else {
      batch->twins.emplace_back(place, first);
    }
  }
  GatherAsked(batch);
  return requests.first(batch->asked.size());
}

int32_t CachingEvaluator::FirstEqual(const std::vector<QuestionKey>& keys, int32_t place) {
  const QuestionKey& key = keys[static_cast<size_t>(place)];
  const size_t mask = table_.size() - 1;
  for (size_t i = key.high & mask;; i = (i + 1) & mask) {
    if (table_[i] < 0) {
      table_[i] = place;
      return place;
    }
    if (keys[static_cast<size_t>(table_[i])] == key) return table_[i];
  }
}

// The last ones change places with those at the front that are not asked: as few as can be.
void CachingEvaluator::GatherAsked(Batch* batch) {
  const auto count = static_cast<int32_t>(batch->asked.size());
  auto next_asked = batch->asked.begin();
  auto last = batch->asked.end();
  for (int32_t hole = 0; last != batch->asked.begin() && *(last - 1) >= count; ++hole) {
    if (*next_asked == hole) {
      ++next_asked;
      continue;
    }
    --last;
    batch->moved.emplace_back(hole, *last);
    std::swap(batch->requests[static_cast<size_t>(hole)],
              batch->requests[static_cast<size_t>(*last)]);
  }
}

void CachingEvaluator::Finish(Batch* batch) {
  const auto request = [batch](int32_t place) -> EvaluationRequest& {
    return batch->requests[static_cast<size_t>(place)];
  };
  for (const auto& [hole, place] : batch->moved) std::swap(request(hole), request(place));
  for (const int32_t place : batch->asked) {
    cache_->Store(batch->keys[static_cast<size_t>(place)], request(place));
  }
  for (const auto& [place, first] : batch->twins) CopyAnswer(request(first), &request(place));
}

}  // namespace chuhe
