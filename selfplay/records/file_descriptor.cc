#include "selfplay/records/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

absl::Status WithPath(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<FileDescriptor> FileDescriptor::Open(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) return SystemError(absl::StrCat(path, ": cannot be opened"));
  return FileDescriptor(fd);
}

absl::StatusOr<uint64_t> FileDescriptor::Size() const {
  struct stat info = {};
  if (fstat(fd_, &info) != 0) return SystemError("cannot be read");
  return static_cast<uint64_t>(info.st_size);
}

absl::StatusOr<std::string> FileDescriptor::ReadAt(uint64_t offset, size_t size) const {
  std::string bytes(size, '\0');
  size_t have = 0;
  while (have < size) {
    const ssize_t count =
        pread(fd_, bytes.data() + have, size - have, static_cast<off_t>(offset + have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("cannot be read");
    if (count == 0) break;
    have += static_cast<size_t>(count);
  }
  bytes.resize(have);
  return bytes;
}

absl::Status FileDescriptor::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("cannot be written");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status FileDescriptor::Sync() {
  return fsync(fd_) == 0 ? absl::OkStatus() : SystemError("cannot be synced");
}

absl::Status FileDescriptor::Truncate(uint64_t size) {
  return ftruncate(fd_, static_cast<off_t>(size)) == 0 ? absl::OkStatus()
                                                       : SystemError("cannot be cut");
}

absl::Status SystemError(absl::string_view what) {
  const int error = errno;
  const std::string message = absl::StrCat(what, ": ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

absl::Status SyncFolder(const std::string& folder) {
  CHUHE_ASSIGN_OR_RETURN(FileDescriptor file, FileDescriptor::Open(folder, O_RDONLY | O_DIRECTORY));
  const absl::Status status = file.Sync();
  return status.ok() ? status : WithPath(folder, status);
}

absl::Status WriteDurably(const std::string& path, const std::string& aside,
                          absl::string_view bytes, const std::function<void(WriteStep)>& at) {
  const auto reached = [&](WriteStep step) {
    if (at) at(step);
  };
  CHUHE_ASSIGN_OR_RETURN(FileDescriptor file,
                         FileDescriptor::Open(aside, O_WRONLY | O_CREAT | O_TRUNC));
  absl::Status status = file.Write(bytes);
  if (status.ok()) {
    reached(WriteStep::kWritten);
    status = file.Sync();
  }
  if (status.ok()) {
    reached(WriteStep::kSynced);
    if (std::rename(aside.c_str(), path.c_str()) != 0) status = SystemError("cannot be named");
  }
  if (!status.ok()) {
    unlink(aside.c_str());
    return WithPath(path, status);
  }
  reached(WriteStep::kRenamed);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  CHUHE_RETURN_IF_ERROR(SyncFolder(folder.empty() ? "." : folder));
  reached(WriteStep::kFolderSynced);
  return absl::OkStatus();
}

}  // namespace chuhe
