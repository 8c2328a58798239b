#include "selfplay/match/shared_evaluator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/eval/request_copy.h"

namespace chuhe {

void SharedEvaluator::Bell::Ring() {
  {
    const MutexLock lock(&mutex_);
    is_rung_ = true;
  }
  rung_.NotifyOne();
}

void SharedEvaluator::Bell::Wait() {
  const MutexLock lock(&mutex_);
  while (!is_rung_) rung_.Wait(&mutex_);
  is_rung_ = false;
}

void SharedEvaluator::Add(std::unique_ptr<Evaluator> evaluator) {
  const MutexLock lock(&mutex_);
  workers_.push_back(std::make_unique<Worker>());
  workers_.back()->evaluator = std::move(evaluator);
  free_.push_back(workers_.back().get());
}

size_t SharedEvaluator::evaluators() const {
  const MutexLock lock(&mutex_);
  return workers_.size();
}

SharedEvaluator::Statistics SharedEvaluator::statistics() const {
  const MutexLock lock(&mutex_);
  return statistics_;
}

bool SharedEvaluator::MayStart() const {
  return !calls_.empty() && !free_.empty() && (pending_ >= max_batch_ || waiting_ == searching_);
}

std::vector<SharedEvaluator::Call*> SharedEvaluator::TakeCalls() {
  // When nothing more can come, the evaluators that are free share what there is.
  const size_t share = (pending_ + free_.size() - 1) / free_.size();
  const size_t target = pending_ >= max_batch_ ? max_batch_ : share;
  std::vector<Call*> calls;
  size_t size = 0;
  while (!calls_.empty() && (calls.empty() || size < target) &&
         (calls.empty() || size + calls_.front()->requests.size() <= max_batch_)) {
    calls.push_back(calls_.front());
    calls_.pop_front();
    size += calls.back()->requests.size();
  }
  pending_ -= size;
  ++statistics_.batches;
  statistics_.requests += static_cast<int64_t>(size);
  return calls;
}

SharedEvaluator::Bell* SharedEvaluator::NextLeader() const {
  return MayStart() ? calls_.front()->bell : nullptr;
}

void SharedEvaluator::Answer(const std::vector<Call*>& calls, Worker* worker) {
  if (calls.size() == 1) {
    worker->evaluator->Evaluate(calls.front()->requests);
    return;
  }
  std::vector<EvaluationRequest>& room = worker->room;
  size_t size = 0;
  for (const Call* const call : calls) size += call->requests.size();
  if (room.size() < size) room.resize(size);
  auto question = room.begin();
  for (const Call* const call : calls) {
    for (const EvaluationRequest& request : call->requests) CopyQuestion(request, &*question++);
  }
  worker->evaluator->Evaluate({room.data(), size});
  auto answer = room.begin();
  for (const Call* const call : calls) {
    for (EvaluationRequest& request : call->requests) CopyAnswer(*answer++, &request);
  }
}

void SharedEvaluator::Lead(Call* own) {
  const std::vector<Call*> calls = TakeCalls();
  Worker* const worker = free_.back();
  free_.pop_back();
  // There may be enough left for another evaluator.
  Bell* const second = NextLeader();
  mutex_.Unlock();
  if (second != nullptr) second->Ring();
  Answer(calls, worker);
  std::vector<Bell*> bells;
  mutex_.Lock();
  free_.push_back(worker);
  waiting_ -= static_cast<int>(calls.size());
  for (Call* const call : calls) {
    call->is_answered = true;
    if (call != own) bells.push_back(call->bell);
  }
  if (Bell* const next = NextLeader(); next != nullptr && next != own->bell) bells.push_back(next);
  mutex_.Unlock();
  for (Bell* const bell : bells) bell->Ring();
  mutex_.Lock();
}

void SharedEvaluator::Evaluate(std::span<EvaluationRequest> requests, Bell* bell) {
  if (requests.empty()) return;
  Call call = {.requests = requests, .bell = bell};
  mutex_.Lock();
  calls_.push_back(&call);
  pending_ += requests.size();
  ++waiting_;
  while (!call.is_answered) {
    if (MayStart()) {
      Lead(&call);
      continue;
    }
    mutex_.Unlock();
    // A bell may have been rung for what is over already.
    bell->Wait();
    mutex_.Lock();
  }
  mutex_.Unlock();
}

SharedEvaluator::Seat::Seat(std::shared_ptr<SharedEvaluator> owner) : owner_(std::move(owner)) {
  const MutexLock lock(&owner_->mutex_);
  if (owner_->free_bells_.empty()) {
    owner_->bells_.push_back(std::make_unique<Bell>());
    owner_->free_bells_.push_back(owner_->bells_.back().get());
  }
  bell_ = owner_->free_bells_.back();
  owner_->free_bells_.pop_back();
}

SharedEvaluator::Seat::~Seat() {
  const MutexLock lock(&owner_->mutex_);
  owner_->free_bells_.push_back(bell_);
}

void SharedEvaluator::Seat::Enter() {
  const MutexLock lock(&owner_->mutex_);
  ++owner_->searching_;
}

void SharedEvaluator::Seat::Leave() {
  Bell* leader = nullptr;
  {
    const MutexLock lock(&owner_->mutex_);
    --owner_->searching_;
    assert(owner_->waiting_ <= owner_->searching_);
    // What is there now may be all that can come.
    leader = owner_->NextLeader();
  }
  if (leader != nullptr) leader->Ring();
}

SearchResult SharedTreeSearcher::Search(const SearchLimits& limits, const SearchSignal& signal,
                                        const ProgressSink& sink) {
  seat_.Enter();
  SearchResult result = searcher_.Search(limits, signal, sink);
  seat_.Leave();
  return result;
}

}  // namespace chuhe
