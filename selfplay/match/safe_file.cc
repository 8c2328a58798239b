#include "selfplay/match/safe_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace chuhe {

absl::Status WriteFileSafely(const std::string& path, absl::string_view text) {
  const auto error = [&](const char* what) {
    return absl::UnavailableError(absl::StrCat(path, ": ", what, ": ", std::strerror(errno)));
  };
  const std::string aside = absl::StrCat(path, ".", getpid(), ".tmp");
  const int fd = open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return error("cannot be written");
  absl::Status status;
  while (!text.empty() && status.ok()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno != EINTR) status = error("cannot be written");
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
  }
  if (status.ok() && fsync(fd) != 0) status = error("cannot be synced");
  if (close(fd) != 0 && status.ok()) status = error("cannot be written");
  if (status.ok() && std::rename(aside.c_str(), path.c_str()) != 0)
    status = error("cannot be named");
  if (!status.ok()) unlink(aside.c_str());
  return status;
}

}  // namespace chuhe
