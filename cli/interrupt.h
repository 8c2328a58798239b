// Turns the first interrupt of the user (Ctrl-C, or the system's request to end) into a call, so
// that long work ends in good order. A second one ends the process as usual.
#pragma once

#include <signal.h>

#include <functional>
#include <thread>

namespace chuhe {

// For as long as it lives; one at a time. Threads that are started meanwhile do not get the
// signals. The call comes from a thread of its own.
class Interrupt {
 public:
  explicit Interrupt(std::function<void()> call);
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

 private:
  void Wait();

  std::function<void()> call_;
  sigset_t signals_;
  sigset_t before_;
  int end_fds_[2] = {-1, -1};
  int signal_fd_ = -1;
  std::thread thread_;
};

}  // namespace chuhe
