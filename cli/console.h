// Standard input and output of the engine, line by line.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/protocol/line_io.h"

namespace chuhe {

// Writing is thread-safe, reading is for one thread. Input ends early when the output is gone, so
// that an engine does not outlive its GUI.
class Console : public LineSource, public LineSink {
 public:
  // Writing to a closed pipe becomes an error instead of the end of the process, which is a
  // setting of the whole process.
  Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() override;

  std::optional<std::string> Next() override;
  void Write(absl::string_view lines) override;

  // Some line could not be written.
  bool output_is_gone() const { return output_is_gone_.load(std::memory_order_acquire); }

 private:
  // Appends what there is to the buffer; false at the end of input. Blocks.
  bool ReadMore();
  void CloseOutput();

  std::string buffer_;
  size_t begin_ = 0;     // of the line that comes next
  size_t searched_ = 0;  // no end of line before this
  bool is_at_end_ = false;

  std::mutex write_mutex_;
  std::atomic<bool> output_is_gone_ = false;
  int wake_fds_[2] = {-1, -1};  // a pipe: what is written to the second wakes who reads
};

}  // namespace chuhe
