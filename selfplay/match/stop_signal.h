// Asks everything that waits in a match to come to an end: threads that read from engines and
// searches that run in the process. Threads that read are also woken when their time is up.
//
// Engines are read with a blocking read(2) and nothing else, since that costs the runner a fifth of
// what poll(2) before each read does: an engine prints ten lines a move, and each wakes us. So
// somebody else has to wake the reader when there is nothing to read: a thread that writes an empty
// line into the pipe, which means nothing in any protocol.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/search/search_signal.h"

namespace chuhe {

using SteadyTime = std::chrono::steady_clock::time_point;

// Thread-safe.
class StopSignal {
 public:
  // A pipe that a thread reads. Owned by that thread.
  class Reader;

  StopSignal() = default;
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  // All readers must be gone.
  ~StopSignal();

  void Stop();
  bool is_set() const { return is_set_.load(std::memory_order_acquire); }

  // Between these two Stop() stops the search, too.
  void Add(SearchSignal* search);
  void Remove(SearchSignal* search);

 private:
  void Watch();

  std::atomic<bool> is_set_ = false;
  std::mutex mutex_;  // guards what follows
  std::vector<SearchSignal*> searches_;
  std::list<Reader*> readers_;
  SteadyTime next_look_ = SteadyTime::max();
  bool is_closing_ = false;
  std::condition_variable changed_;
  std::jthread watch_;  // from the first reader on
};

class StopSignal::Reader {
 public:
  // The reading end of a pipe, and the process group at its other end, which is killed where the
  // pipe cannot be written. The signal must outlive the reader, and the pipe too.
  Reader(StopSignal* signal, int fd, int group);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader();

  bool is_stopped() const { return signal_.is_set(); }
  // An empty line comes through the pipe when this time is over, and when the signal is given.
  void SetDeadline(SteadyTime deadline);
  // The time counts no more.
  void ClearDeadline() { deadline_.store(SteadyTime::max(), std::memory_order_relaxed); }

 private:
  friend class StopSignal;
  void Wake() const;

  StopSignal& signal_;
  const int fd_;
  const int group_;
  std::atomic<SteadyTime> deadline_ = SteadyTime::max();
};

}  // namespace chuhe
