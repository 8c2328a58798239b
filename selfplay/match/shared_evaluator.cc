#include "selfplay/match/shared_evaluator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/eval/request_copy.h"

namespace chuhe {

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

SharedEvaluator::Table* SharedEvaluator::FindTable() {
  const FiberGroup* const fibers = FiberGroup::Current();
  Table* empty = nullptr;
  for (const std::unique_ptr<Table>& table : tables_) {
    if (table->fibers == fibers) return table.get();
    if (table->searching == 0) empty = table.get();
  }
  if (empty == nullptr) empty = tables_.emplace_back(std::make_unique<Table>()).get();
  empty->fibers = fibers;
  return empty;
}

bool SharedEvaluator::MayStart(const Table& table) const {
  return !table.calls.empty() && !free_.empty() &&
         (table.pending >= max_batch_ || table.waiting == table.searching);
}

std::vector<SharedEvaluator::Call*> SharedEvaluator::TakeCalls(Table* table) {
  // When nothing more can come, the evaluators that are free share what threads ask. Fibers have
  // one thread only.
  const size_t share = (table->pending + free_.size() - 1) / free_.size();
  const bool is_shared = table->fibers == nullptr && table->pending < max_batch_;
  const size_t target = is_shared ? share : max_batch_;
  std::vector<Call*> calls;
  size_t size = 0;
  std::deque<Call*>& waiting = table->calls;
  while (!waiting.empty() && (calls.empty() || size < target) &&
         (calls.empty() || size + waiting.front()->requests.size() <= max_batch_)) {
    calls.push_back(waiting.front());
    waiting.pop_front();
    size += calls.back()->requests.size();
  }
  table->pending -= size;
  ++statistics_.batches;
  statistics_.requests += static_cast<int64_t>(size);
  return calls;
}

void SharedEvaluator::AddLeaders(std::vector<Bell*>* bells) const {
  for (const std::unique_ptr<Table>& table : tables_) {
    if (MayStart(*table)) bells->push_back(table->calls.front()->bell);
  }
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

void SharedEvaluator::Lead(Table* table, Call* own) {
  const std::vector<Call*> calls = TakeCalls(table);
  Worker* const worker = free_.back();
  free_.pop_back();
  // There may be enough left for another evaluator.
  std::vector<Bell*> bells;
  AddLeaders(&bells);
  mutex_.Unlock();
  for (Bell* const bell : bells) bell->Ring();
  bells.clear();
  Answer(calls, worker);
  mutex_.Lock();
  free_.push_back(worker);
  table->waiting -= static_cast<int>(calls.size());
  for (Call* const call : calls) {
    call->is_answered = true;
    if (call != own) bells.push_back(call->bell);
  }
  AddLeaders(&bells);
  mutex_.Unlock();
  for (Bell* const bell : bells) {
    if (bell != own->bell) bell->Ring();
  }
  mutex_.Lock();
}

void SharedEvaluator::Evaluate(std::span<EvaluationRequest> requests, Table* table, Bell* bell) {
  if (requests.empty()) return;
  Call call = {.requests = requests, .bell = bell};
  mutex_.Lock();
  table->calls.push_back(&call);
  table->pending += requests.size();
  ++table->waiting;
  // Fibers that are ready may be about to search, too, though they have not said so yet.
  bool may_be_early = table->fibers != nullptr && table->pending < max_batch_;
  while (!call.is_answered) {
    const bool may_start = MayStart(*table);
    if (may_start && !may_be_early) {
      Lead(table, &call);
      continue;
    }
    mutex_.Unlock();
    if (may_start) {
      FiberGroup::Yield();
      may_be_early = false;
    } else {
      // A bell may have been rung for what is over already.
      bell->Wait();
    }
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
  table_ = owner_->FindTable();
  ++table_->searching;
}

void SharedEvaluator::Seat::Leave() {
  std::vector<Bell*> bells;
  {
    const MutexLock lock(&owner_->mutex_);
    --table_->searching;
    assert(table_->waiting <= table_->searching);
    // What is there now may be all that can come.
    owner_->AddLeaders(&bells);
  }
  for (Bell* const bell : bells) bell->Ring();
}

SearchResult SharedTreeSearcher::Search(const SearchLimits& limits, const SearchSignal& signal,
                                        const ProgressSink& sink) {
  seat_.Enter();
  SearchResult result = searcher_.Search(limits, signal, sink);
  seat_.Leave();
  return result;
}

}  // namespace chuhe
