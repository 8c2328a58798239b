// Files of the system as Statuses: reading at a place, appending, syncing, and files that are there
// whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// Owns a descriptor. Errors do not name the file: who knows its path adds it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  // `flags` are those of open(2); the file is closed when another program is started. Errors name
  // the path.
  static absl::StatusOr<FileDescriptor> Open(const std::string& path, int flags);

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  absl::StatusOr<uint64_t> Size() const;
  // Reads `size` bytes from `offset` on, fewer only where the file ends.
  absl::StatusOr<std::string> ReadAt(uint64_t offset, size_t size) const;
  // Writes all of the bytes where the descriptor stands.
  absl::Status Write(absl::string_view bytes);
  // Blocks until all that was written would outlive a loss of power.
  absl::Status Sync();
  absl::Status Truncate(uint64_t size);

 private:
  int fd_ = -1;
};

// The error of a system call that just failed: `WHAT: No such file or directory`.
absl::Status SystemError(absl::string_view what);

// Makes files that were created, renamed or removed in the folder outlive a loss of power.
absl::Status SyncFolder(const std::string& folder);

// The moments of WriteDurably, for tests that want to fail between them.
enum class WriteStep : uint8_t { kWritten, kSynced, kRenamed, kFolderSynced };

// Writes `aside`, syncs it and renames it to `path`, so that the file is there whole or not at all,
// and stays. Both must be on one file system. Errors name the path. `at` may be empty.
absl::Status WriteDurably(const std::string& path, const std::string& aside,
                          absl::string_view bytes, const std::function<void(WriteStep)>& at = {});

}  // namespace chuhe
