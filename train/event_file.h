// Event files that TensorBoard reads: curves of numbers over steps.
//
// Written by hand in the few bytes that the format needs (TFRecord frames around `Event` messages
// of tensorflow/core/util/event.proto), as the protobuf library cannot live in one process with
// LibTorch.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace chuhe {

// Owned by one thread. What was written before a crash stays readable.
class EventFile {
 public:
  // Creates `folder` if it is not there and a new file in it, named as TensorBoard expects.
  static absl::StatusOr<EventFile> Create(const std::string& folder);

  // Adds a point to the curve `tag` at the present time.
  absl::Status AddScalar(absl::string_view tag, int64_t step, float value);
  // Hands what was added to the system.
  absl::Status Flush();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  EventFile(std::unique_ptr<std::FILE, Closer> file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}
  absl::Status WriteFrame(absl::string_view event);

  std::unique_ptr<std::FILE, Closer> file_;
  std::string path_;
};

// CRC-32C (Castagnoli), as TFRecord frames carry it.
uint32_t Crc32c(absl::string_view bytes);

}  // namespace chuhe
