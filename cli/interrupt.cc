#include "cli/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace chuhe {

Interrupt::Interrupt(std::function<void()> call) : call_(std::move(call)) {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  signal_fd_ = signalfd(-1, &signals_, SFD_CLOEXEC);
  if (pipe2(end_fds_, O_CLOEXEC) == 0) thread_ = std::thread([this] { Wait(); });
}

Interrupt::~Interrupt() {
  if (end_fds_[1] >= 0) close(end_fds_[1]);
  if (thread_.joinable()) thread_.join();
  for (const int fd : {end_fds_[0], signal_fd_}) {
    if (fd >= 0) close(fd);
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Interrupt::Wait() {
  pollfd wait[] = {{signal_fd_, POLLIN, 0}, {end_fds_[0], POLLIN, 0}};
  while (poll(wait, 2, -1) < 0 && errno == EINTR) continue;
  if (wait[0].revents == 0) return;
  signalfd_siginfo info;
  if (read(signal_fd_, &info, sizeof info) < 0) return;
  call_();
  // From here on this thread takes the signals, with their usual effect.
  pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  while (poll(&wait[1], 1, -1) < 0 && errno == EINTR) continue;
}

}  // namespace chuhe
