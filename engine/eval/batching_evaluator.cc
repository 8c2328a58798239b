#include "engine/eval/batching_evaluator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/eval/request_copy.h"

namespace chuhe {

BatchingEvaluator::BatchingEvaluator(std::vector<std::unique_ptr<Evaluator>> evaluators,
                                     const BatchingOptions& options)
    : options_(options), evaluators_(std::move(evaluators)) {
  assert(!evaluators_.empty() && options_.max_batch > 0);
  for (const auto& evaluator : evaluators_) {
    runners_.emplace_back([this, inner = evaluator.get()] { Run(inner); });
  }
}

BatchingEvaluator::~BatchingEvaluator() {
  const MutexLock lock(&mutex_);
  assert(fronts_ == 0 && "a front outlives what it asks");
  is_closing_ = true;
  has_work_.NotifyAll();
}

std::unique_ptr<BatchingEvaluator::Front> BatchingEvaluator::NewFront() {
  const MutexLock lock(&mutex_);
  ++fronts_;
  return std::unique_ptr<Front>(new Front(this));
}

BatchingEvaluator::Statistics BatchingEvaluator::statistics() const {
  const MutexLock lock(&mutex_);
  return statistics_;
}

void BatchingEvaluator::Run(Evaluator* evaluator) {
  // Used in turn. Where the evaluator works in Submit() itself, there is one.
  std::vector<Batch> batches(static_cast<size_t>(evaluator->max_in_flight()));
  size_t submitted = 0;
  size_t fetched = 0;
  while (true) {
    while (submitted - fetched < batches.size()) {
      Batch& batch = batches[submitted % batches.size()];
      if (!Take(/*may_wait=*/submitted == fetched, &batch)) break;
      Join(&batch);
      evaluator->Submit(batch.requests);
      ++submitted;
    }
    if (submitted == fetched) return;
    evaluator->Wait();
    Deliver(batches[fetched++ % batches.size()]);
  }
}

bool BatchingEvaluator::Take(bool may_wait, Batch* batch) {
  const MutexLock lock(&mutex_);
  Start reason = ReasonToStart();
  while (reason == Start::kNotYet) {
    if (!may_wait || (is_closing_ && pending_ == 0)) return false;
    if (pending_ == 0) {
      has_work_.Wait(&mutex_);
    } else {
      has_work_.WaitUntil(&mutex_, calls_.front()->since + options_.max_wait);
    }
    reason = ReasonToStart();
  }
  TakePieces(batch);
  Count(reason, *batch);
  // Another runner must know about the rest, if only for its time limit.
  if (pending_ > 0) has_work_.NotifyOne();
  return true;
}

BatchingEvaluator::Start BatchingEvaluator::ReasonToStart() const {
  if (pending_ == 0) return Start::kNotYet;
  if (pending_ >= options_.max_batch) return Start::kFull;
  if (waiting_fronts_ == fronts_) return Start::kComplete;
  const auto limit = calls_.front()->since + options_.max_wait;
  return std::chrono::steady_clock::now() >= limit ? Start::kOverdue : Start::kNotYet;
}

void BatchingEvaluator::TakePieces(Batch* batch) {
  batch->pieces.clear();
  size_t room = options_.max_batch;
  while (room > 0 && !calls_.empty()) {
    Call* const call = calls_.front();
    const size_t count = std::min(room, call->requests.size() - call->taken);
    batch->pieces.push_back({call, call->requests.subspan(call->taken, count)});
    call->taken += count;
    room -= count;
    pending_ -= count;
    if (call->taken == call->requests.size()) calls_.pop_front();
  }
}

void BatchingEvaluator::Count(Start reason, const Batch& batch) {
  for (const Piece& piece : batch.pieces) {
    statistics_.requests += static_cast<int64_t>(piece.requests.size());
  }
  statistics_.full_batches += reason == Start::kFull;
  statistics_.complete_batches += reason == Start::kComplete;
  statistics_.overdue_batches += reason == Start::kOverdue;
}

void BatchingEvaluator::Join(Batch* batch) {
  if (batch->pieces.size() == 1) {
    batch->requests = batch->pieces.front().requests;
    return;
  }
  size_t size = 0;
  for (const Piece& piece : batch->pieces) size += piece.requests.size();
  if (batch->room.size() < size) batch->room.resize(size);
  batch->requests = std::span(batch->room).first(size);
  auto to = batch->requests.begin();
  for (const Piece& piece : batch->pieces) {
    for (const EvaluationRequest& request : piece.requests) CopyQuestion(request, &*to++);
  }
}

void BatchingEvaluator::Deliver(const Batch& batch) {
  if (batch.pieces.size() > 1) {
    auto from = batch.requests.begin();
    for (const Piece& piece : batch.pieces) {
      for (EvaluationRequest& request : piece.requests) CopyAnswer(*from++, &request);
    }
  }
  const MutexLock lock(&mutex_);
  for (const Piece& piece : batch.pieces) {
    Call* const call = piece.call;
    call->answered += piece.requests.size();
    if (call->answered < call->requests.size()) continue;
    Front* const front = call->front;
    if (front->awaited_ != call) continue;
    // From here on it can ask again, even before its thread has woken up.
    front->awaited_ = nullptr;
    --waiting_fronts_;
    front->answered_.NotifyOne();
  }
}

void BatchingEvaluator::WakeRunner() {
  if (ReasonToStart() != Start::kNotYet) has_work_.NotifyOne();
}

BatchingEvaluator::Front::~Front() {
  while (fetched_ < submitted_) Wait();
  const MutexLock lock(&owner_->mutex_);
  --owner_->fronts_;
  owner_->WakeRunner();
}

void BatchingEvaluator::Front::Evaluate(std::span<EvaluationRequest> requests) {
  Submit(requests);
  Wait();
}

void BatchingEvaluator::Front::Submit(std::span<EvaluationRequest> requests) {
  assert(submitted_ - fetched_ < kMaxInFlight);
  Call& call = calls_[submitted_++ % kMaxInFlight];
  const MutexLock lock(&owner_->mutex_);
  call = {requests, 0, 0, std::chrono::steady_clock::now(), this};
  if (requests.empty()) return;
  const bool is_first = owner_->calls_.empty();
  owner_->calls_.push_back(&call);
  owner_->pending_ += requests.size();
  // The first call sets the time limit by which a runner must look again.
  if (is_first) {
    owner_->has_work_.NotifyOne();
  } else {
    owner_->WakeRunner();
  }
}

void BatchingEvaluator::Front::Wait() {
  assert(fetched_ < submitted_);
  const Call& call = calls_[fetched_++ % kMaxInFlight];
  const MutexLock lock(&owner_->mutex_);
  if (call.answered == call.requests.size()) return;
  awaited_ = &call;
  ++owner_->waiting_fronts_;
  owner_->WakeRunner();
  while (awaited_ != nullptr) answered_.Wait(&owner_->mutex_);
}

}  // namespace chuhe
