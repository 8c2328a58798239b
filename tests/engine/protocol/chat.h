// A session that runs on a thread of its own over memory, and the test as its GUI.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/protocol/session.h"

namespace chuhe {

class MemorySource : public LineSource {
 public:
  std::optional<std::string> Next() override;
  void Push(std::string line);
  void Close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool closed_ = false;
};

class MemorySink : public LineSink {
 public:
  void Write(absl::string_view lines) override;
  // The first line from `from` on that begins with `start`, and the place behind it. Waits for it.
  std::string WaitFor(absl::string_view start, size_t* from);
  std::vector<std::string> lines() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

class Chat {
 public:
  explicit Chat(SearcherFactory factory);
  ~Chat();

  // Sends lines, divided by line ends.
  void Send(const std::string& lines);
  // The next line not yet passed that begins like this; the test fails when none comes.
  std::string Expect(absl::string_view start);
  // `isready`, and the answer: what was sent before is done unless it thinks.
  void Sync();
  // The lines from the last expected one on until everything sent is done, that one left out.
  std::vector<std::string> Rest();
  // Ends the input, waits for the session and gives all lines.
  std::vector<std::string> Finish();

 private:
  MemorySource source_;
  MemorySink sink_;
  size_t passed_ = 0;
  Session session_;
  std::thread thread_;
};

// How many lines begin like this.
int Count(const std::vector<std::string>& lines, absl::string_view start);

}  // namespace chuhe
