#include "selfplay/match/stop_signal.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace chuhe {

StopSignal::~StopSignal() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_all();
}

void StopSignal::Stop() {
  const std::lock_guard lock(mutex_);
  if (is_set_.exchange(true, std::memory_order_acq_rel)) return;
  for (const Reader* const reader : readers_) reader->Wake();
  for (SearchSignal* const search : searches_) search->Stop();
}

void StopSignal::Add(SearchSignal* search) {
  const std::lock_guard lock(mutex_);
  searches_.push_back(search);
  if (is_set()) search->Stop();
}

void StopSignal::Remove(SearchSignal* search) {
  const std::lock_guard lock(mutex_);
  searches_.erase(std::find(searches_.begin(), searches_.end(), search));
}

void StopSignal::Watch() {
  // Who went on waiting although woken, because the pipe was full or the line was lost.
  constexpr auto kAgain = std::chrono::milliseconds(20);
  std::unique_lock lock(mutex_);
  while (!is_closing_) {
    const SteadyTime now = std::chrono::steady_clock::now();
    next_look_ = SteadyTime::max();
    for (const Reader* const reader : readers_) {
      const SteadyTime deadline = reader->deadline_.load(std::memory_order_relaxed);
      if (deadline <= now) reader->Wake();
      next_look_ = std::min(next_look_, deadline <= now ? now + kAgain : deadline);
    }
    if (next_look_ == SteadyTime::max()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, next_look_);
    }
  }
}

StopSignal::Reader::Reader(StopSignal* signal, int fd, int group)
    : signal_(*signal), fd_(fd), group_(group) {
  const std::lock_guard lock(signal_.mutex_);
  signal_.readers_.push_back(this);
  if (!signal_.watch_.joinable()) signal_.watch_ = std::jthread([s = signal] { s->Watch(); });
}

StopSignal::Reader::~Reader() {
  const std::lock_guard lock(signal_.mutex_);
  signal_.readers_.remove(this);
}

void StopSignal::Reader::SetDeadline(SteadyTime deadline) {
  deadline_.store(deadline, std::memory_order_relaxed);
  const std::lock_guard lock(signal_.mutex_);
  // Most often the next look is for a time that is over before this one.
  if (deadline < signal_.next_look_) signal_.changed_.notify_all();
}

void StopSignal::Reader::Wake() const {
  const std::string path = "/proc/self/fd/" + std::to_string(fd_);
  const int writing_end = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (writing_end < 0) {
    kill(-group_, SIGKILL);
    return;
  }
  // A full pipe wakes the reader as well.
  [[maybe_unused]] const ssize_t count = write(writing_end, "\n", 1);
  close(writing_end);
}

}  // namespace chuhe
