// An engine as a child process with pipes to its standard input and output.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/match/stop_signal.h"

namespace chuhe {

struct ProcessSpec {
  std::vector<std::string> words;  // the program, looked up in PATH, and its arguments
  std::string directory;           // where it runs; empty: here
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
};

enum class ReadResult { kLine, kTimeout, kEndOfOutput, kStopped };

// Owned by one thread. What the process writes to standard error is thrown away.
class ChildProcess {
 public:
  // The process gets a group of its own, so that its children end with it. The signal ends waiting
  // for its output; it must outlive this. Errors name the program.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(const ProcessSpec& spec,
                                                             StopSignal* stop);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  // Kills the process and its group.
  ~ChildProcess();

  // Writes all of it. Blocks while the process does not read, at most until `deadline`.
  absl::Status Write(absl::string_view text, SteadyTime deadline);

  // The next line without its end; `received` is when its last byte came. Of a line longer than
  // kMaxLine the rest is thrown away. Blocks until `deadline` or until it is stopped; empty lines
  // may come that the process has not written.
  //
  // Lines that `can_wait` says so of are not handed out before another one comes, or very many of
  // them: each of them wakes us while the process thinks, and all that is done then is done with
  // cold caches. Null: none can wait.
  static constexpr size_t kMaxLine = size_t{1} << 20;
  using CanWait = bool (*)(const char* line, size_t size);
  ReadResult ReadLine(SteadyTime deadline, CanWait can_wait, std::string* line,
                      SteadyTime* received);

  // The next line of what has come already, waiting or not; false if there is none, and at
  // `deadline`, since one that writes without end has always another. Does not block.
  bool ReadEarlyLine(SteadyTime deadline, std::string* line);
  // Its output has been read to the end.
  bool is_at_end() const { return at_end_; }

  // Closes its input and waits for its end; false when it still runs at the deadline.
  bool WaitForEnd(SteadyTime deadline);
  void Kill();
  // `exited with status 1`, `was killed by signal 11 (Segmentation fault)`; for one that has ended
  // or is about to.
  std::string HowItEnded();

 private:
  ChildProcess(int pid, int input, int output, StopSignal* stop)
      : pid_(pid), input_(input), output_(output) {
    reader_.emplace(stop, output, pid);
  }
  // Waits for more output that cannot wait, and puts it into the buffer.
  ReadResult Fill(SteadyTime deadline, CanWait can_wait);
  // Looks at what came behind this place; true if a line that ended there must be handed out.
  bool HasUrgentLine(size_t from, CanWait can_wait);
  bool TakeLine(std::string* line);
  // Makes room in the buffer: what was taken, and the rest of a line that was too long.
  void DropTaken();
  bool Reap(bool block);
  void CloseInput();

  int pid_;
  int input_;
  int output_;
  std::optional<StopSignal::Reader> reader_;
  bool has_ended_ = false;
  int wait_status_ = 0;
  bool at_end_ = false;
  bool dropping_ = false;  // the rest of a line that was too long
  std::string buffer_;
  size_t begin_ = 0;       // of what was not taken yet
  size_t searched_ = 0;    // no end of line before this
  size_t line_begin_ = 0;  // of the line that comes in, while it waits with others
  SteadyTime received_;
};

}  // namespace chuhe
