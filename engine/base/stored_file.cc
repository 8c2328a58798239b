#include "engine/base/stored_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

absl::Status Error(const std::string& path, absl::string_view what, int error_number) {
  return absl::Status(
      absl::ErrnoToStatusCode(error_number),
      absl::StrCat(path, ": ", what, ": ", std::generic_category().message(error_number)));
}

// Devices and folders are not for reading or replacing.
absl::Status CheckIsFile(const std::string& path, bool must_exist) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    if (error && status.type() != std::filesystem::file_type::not_found) {
      return absl::FailedPreconditionError(absl::StrCat(path, ": ", error.message()));
    }
    return must_exist ? absl::NotFoundError(absl::StrCat(path, ": no such file"))
                      : absl::OkStatus();
  }
  if (!std::filesystem::is_regular_file(status)) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": not a regular file"));
  }
  return absl::OkStatus();
}

#ifdef _WIN32

// Without the certainty that the disk has it.
absl::Status WriteAside(const std::string& path, absl::string_view bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    return absl::UnavailableError(absl::StrCat(path, ": could not be written"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> WriteBeside(const std::string& path, absl::string_view bytes) {
  std::string aside = path + ".new0";
  CHUHE_RETURN_IF_ERROR(WriteAside(aside, bytes));
  return aside;
}

absl::Status SyncFolderOf(const std::string& /*path*/) { return absl::OkStatus(); }

#else

// An open file.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

absl::Status WriteAndSync(const std::string& path, int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return Error(path, "cannot be written", errno);
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
  }
  if (fsync(fd) != 0) {
    return Error(path, "cannot be written to disk", errno);
  }
  return absl::OkStatus();
}

// Writes the bytes under a name that nobody uses, and returns it.
absl::StatusOr<std::string> WriteBeside(const std::string& path, absl::string_view bytes) {
  constexpr int kTries = 1000;
  for (int i = 0;; ++i) {
    std::string aside = absl::StrCat(path, ".new", i);
    const Descriptor file(open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.fd() < 0) {
      if (errno == EEXIST && i < kTries) continue;
      return Error(aside, "cannot be written", errno);
    }
    if (const absl::Status status = WriteAndSync(aside, file.fd(), bytes); !status.ok()) {
      unlink(aside.c_str());
      return status;
    }
    return aside;
  }
}

absl::Status SyncFolderOf(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const std::string folder = parent.empty() ? "." : parent;
  const Descriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a folder, and need not.
  if (file.fd() < 0 || (fsync(file.fd()) != 0 && errno != EINVAL)) {
    return Error(folder, "cannot be written to disk", errno);
  }
  return absl::OkStatus();
}

#endif

}  // namespace

absl::StatusOr<std::string> ReadStoredFile(const std::string& path, size_t max_bytes) {
  CHUHE_RETURN_IF_ERROR(CheckIsFile(path, /*must_exist=*/true));
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) {
    return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  }
  if (size > max_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": has ", size, " bytes, at most ", max_bytes, " are allowed"));
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (file == nullptr) {
    return Error(path, "cannot be opened", errno);
  }
  // One more than there should be, to see that the file ends there.
  std::string bytes(static_cast<size_t>(size) + 1, '\0');
  const size_t read = std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (std::ferror(file.get()) != 0) {
    return Error(path, "cannot be read", errno);
  }
  if (read != size) {
    return absl::UnavailableError(absl::StrCat(path, ": its size changed while it was read"));
  }
  bytes.resize(read);
  return bytes;
}

absl::Status WriteStoredFile(const std::string& path, absl::string_view bytes) {
  CHUHE_RETURN_IF_ERROR(CheckIsFile(path, /*must_exist=*/false));
  CHUHE_ASSIGN_OR_RETURN(const std::string aside, WriteBeside(path, bytes));
  std::error_code error;
  std::filesystem::rename(aside, path, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(aside, ignored);
    return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  }
  return SyncFolderOf(path);
}

}  // namespace chuhe
