// How another thread ends a search or turns pondering into thinking.
#pragma once

#include <atomic>

namespace chuhe {

// Thread-safe. One search uses it at a time; Reset() comes before that.
class SearchSignal {
 public:
  void Reset() {
    stop_.store(false, std::memory_order_relaxed);
    ponder_hit_.store(false, std::memory_order_relaxed);
  }
  void Stop() { stop_.store(true, std::memory_order_release); }
  // The opponent has played the move that was pondered on: the clock runs from now.
  void PonderHit() { ponder_hit_.store(true, std::memory_order_release); }

  bool stop_requested() const { return stop_.load(std::memory_order_acquire); }
  bool ponder_hit() const { return ponder_hit_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> stop_ = false;
  std::atomic<bool> ponder_hit_ = false;
};

}  // namespace chuhe
