// Where lines come from and where they go: a console, or a test's memory.
#pragma once

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace chuhe {

// Owned by one thread.
class LineSource {
 public:
  virtual ~LineSource() = default;
  // The next line without its end, of any length; nothing at the end of input. Blocks.
  virtual std::optional<std::string> Next() = 0;
};

// Thread-safe.
class LineSink {
 public:
  virtual ~LineSink() = default;
  // Writes whole lines, the last one without its end, and lets nothing of another thread between
  // them. They have left the process when it returns. Output that is gone is no error here: the
  // source then ends.
  virtual void Write(absl::string_view lines) = 0;
};

}  // namespace chuhe
