// Asks everything that waits in a match to come to an end: threads that read from engines and
// searches that run in the process.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "engine/search/search_signal.h"

namespace chuhe {

// Thread-safe.
class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  void Stop();
  bool is_set() const { return is_set_.load(std::memory_order_acquire); }
  // Readable once Stop() was called, for poll(); -1 where the system had none to give.
  int fd() const { return fds_[0]; }

  // Between these two Stop() stops the search, too.
  void Add(SearchSignal* search);
  void Remove(SearchSignal* search);

 private:
  std::atomic<bool> is_set_ = false;
  int fds_[2] = {-1, -1};
  std::mutex mutex_;
  std::vector<SearchSignal*> searches_;
};

}  // namespace chuhe
