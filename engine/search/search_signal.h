// How another thread ends a search, turns pondering into thinking, or has something done by the
// searching thread meanwhile.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace chuhe {

// Thread-safe. One search uses it at a time; Reset() comes before that.
class SearchSignal {
 public:
  void Reset() {
    stop_.store(false, std::memory_order_relaxed);
    ponder_hit_.store(false, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    has_ended_ = false;
  }

  // Has the searching thread do this where it may look at the searcher, soon. Not where
  // EndInterludes() came first: then it returns false.
  bool Interject(std::function<void()> interlude) {
    const std::lock_guard lock(mutex_);
    if (has_ended_) return false;
    interludes_.push_back(std::move(interlude));
    has_interludes_.store(true, std::memory_order_release);
    return true;
  }
  bool has_interludes() const { return has_interludes_.load(std::memory_order_acquire); }
  // By the searching thread, now and then.
  void RunInterludes() const {
    std::vector<std::function<void()>> due;
    {
      const std::lock_guard lock(mutex_);
      due.swap(interludes_);
      has_interludes_.store(false, std::memory_order_relaxed);
    }
    for (const std::function<void()>& interlude : due) interlude();
  }
  // By the searching thread, when it is done: those that are left, and no more.
  void EndInterludes() {
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = true;
    }
    RunInterludes();
  }
  void Stop() { stop_.store(true, std::memory_order_release); }
  // The opponent has played the move that was pondered on: the clock runs from now.
  void PonderHit() { ponder_hit_.store(true, std::memory_order_release); }

  bool stop_requested() const { return stop_.load(std::memory_order_acquire); }
  bool ponder_hit() const { return ponder_hit_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<bool> ponder_hit_ = false;

  // Searchers have a signal that they cannot change; what waits here is none of its state.
  mutable std::mutex mutex_;
  mutable std::vector<std::function<void()>> interludes_;
  mutable std::atomic<bool> has_interludes_ = false;
  bool has_ended_ = false;
};

}  // namespace chuhe
