#include "cli/console.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <iostream>

#ifndef _WIN32
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#endif

#include "absl/strings/str_cat.h"

namespace chuhe {

#ifdef _WIN32

Console::Console() = default;
Console::~Console() = default;

bool Console::ReadMore() {
  std::string line;
  if (output_is_gone() || !std::getline(std::cin, line)) {
    return false;
  }
  buffer_ += line + '\n';
  return true;
}

void Console::CloseOutput() { output_is_gone_.store(true, std::memory_order_release); }

void Console::Write(absl::string_view lines) {
  const std::string text = absl::StrCat(lines, "\n");
  const std::lock_guard lock(write_mutex_);
  if (!output_is_gone() && (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
                            std::fflush(stdout) != 0)) {
    CloseOutput();
  }
}

#else

Console::Console() {
  std::signal(SIGPIPE, SIG_IGN);
  if (pipe(wake_fds_) != 0) {
    // Then a reader that waits learns of closed output by its next line only.
    wake_fds_[0] = wake_fds_[1] = -1;
    return;
  }
  for (const int fd : wake_fds_) {
    fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
}

Console::~Console() {
  for (const int fd : wake_fds_) {
    if (fd >= 0) {
      close(fd);
    }
  }
}

bool Console::ReadMore() {
  for (;;) {
    pollfd fds[2] = {{STDIN_FILENO, POLLIN, 0}, {wake_fds_[0], POLLIN, 0}};
    const int ready = poll(fds, 2, -1);
    if (output_is_gone()) {
      return false;
    }
    if (ready < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    char block[1 << 16];
    const ssize_t bytes = read(STDIN_FILENO, block, sizeof block);
    if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) {
      continue;
    }
    if (bytes <= 0) {
      return false;
    }
    buffer_.append(block, static_cast<size_t>(bytes));
    return true;
  }
}

void Console::CloseOutput() {
  output_is_gone_.store(true, std::memory_order_release);
  if (wake_fds_[1] >= 0) {
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = write(wake_fds_[1], &byte, 1);
  }
}

void Console::Write(absl::string_view lines) {
  const std::string text = absl::StrCat(lines, "\n");
  const std::lock_guard lock(write_mutex_);
  size_t done = 0;
  while (done < text.size() && !output_is_gone()) {
    const ssize_t bytes = write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (bytes >= 0) {
      done += static_cast<size_t>(bytes);
    } else if (errno == EAGAIN) {
      pollfd fd = {STDOUT_FILENO, POLLOUT, 0};
      poll(&fd, 1, -1);
    } else if (errno != EINTR) {
      CloseOutput();
    }
  }
}

#endif

std::optional<std::string> Console::Next() {
  size_t end = buffer_.find('\n', searched_);
  while (end == std::string::npos && !is_at_end_) {
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched_ = buffer_.size();
    is_at_end_ = !ReadMore();
    end = buffer_.find('\n', searched_);
  }
  if (output_is_gone()) {
    return std::nullopt;
  }
  if (end == std::string::npos) {
    // A last line without an end counts too.
    end = buffer_.size();
    if (begin_ == end) {
      return std::nullopt;
    }
  }
  std::string line = buffer_.substr(begin_, end - begin_);
  begin_ = searched_ = std::min(end + 1, buffer_.size());
  return line;
}

}  // namespace chuhe
