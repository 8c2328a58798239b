// A queue between threads that holds a bounded number of items, so that who makes them cannot run
// ahead of who takes them. Closing it is how its users are told to stop.
#pragma once

#include <cassert>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "engine/base/mutex.h"

namespace chuhe {

// First in, first out. Thread-safe: any number of threads may push, pop and close.
template <typename T>
class BoundedQueue {
 public:
  // Room for at least one item.
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) { assert(capacity > 0); }
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  // Blocks while the queue is full. False if it is closed; the item is then still the caller's.
  bool Push(T&& item) ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(&mutex_);
    while (items_.size() == capacity_ && !is_closed_) has_room_.Wait(&mutex_);
    return PushLocked(std::move(item));
  }
  bool Push(const T& item) { return Push(T(item)); }

  // Does not block: false also when the queue is full.
  bool TryPush(T&& item) ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(&mutex_);
    return items_.size() < capacity_ && PushLocked(std::move(item));
  }
  bool TryPush(const T& item) { return TryPush(T(item)); }

  // Blocks while the queue is empty. Nothing once it is closed and all items have been taken.
  std::optional<T> Pop() ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(&mutex_);
    while (items_.empty() && !is_closed_) has_items_.Wait(&mutex_);
    return PopLocked();
  }

  // Does not block: nothing also when the queue is empty.
  std::optional<T> TryPop() ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(&mutex_);
    return PopLocked();
  }

  // No more items go in; those inside can still be taken. Wakes everyone who waits.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(&mutex_);
    is_closed_ = true;
    has_room_.NotifyAll();
    has_items_.NotifyAll();
  }

  bool is_closed() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(&mutex_);
    return is_closed_;
  }
  size_t size() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const MutexLock lock(&mutex_);
    return items_.size();
  }
  size_t capacity() const { return capacity_; }

 private:
  bool PushLocked(T&& item) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (is_closed_) return false;
    items_.push_back(std::move(item));
    has_items_.NotifyOne();
    return true;
  }

  std::optional<T> PopLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    has_room_.NotifyOne();
    return item;
  }

  const size_t capacity_;
  mutable Mutex mutex_;
  CondVar has_room_;
  CondVar has_items_;
  std::deque<T> items_ ABSL_GUARDED_BY(mutex_);
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace chuhe
