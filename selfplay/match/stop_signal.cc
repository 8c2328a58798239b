#include "selfplay/match/stop_signal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace chuhe {

StopSignal::StopSignal() {
  if (pipe2(fds_, O_CLOEXEC) != 0) fds_[0] = fds_[1] = -1;
}

StopSignal::~StopSignal() {
  for (const int fd : fds_) {
    if (fd >= 0) close(fd);
  }
}

void StopSignal::Stop() {
  const std::lock_guard lock(mutex_);
  if (is_set_.exchange(true, std::memory_order_acq_rel)) return;
  // Closing the writing end makes the other one readable for good.
  if (fds_[1] >= 0) close(fds_[1]);
  fds_[1] = -1;
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

}  // namespace chuhe
