#include "tests/engine/protocol/chat.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace chuhe {

std::optional<std::string> MemorySource::Next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || !lines_.empty(); });
  if (lines_.empty()) {
    return std::nullopt;
  }
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void MemorySource::Push(std::string line) {
  {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  changed_.notify_all();
}

void MemorySource::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void MemorySink::Write(absl::string_view lines) {
  {
    const std::lock_guard lock(mutex_);
    for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
      lines_.emplace_back(line);
    }
  }
  changed_.notify_all();
}

std::string MemorySink::WaitFor(absl::string_view start, size_t* from) {
  std::unique_lock lock(mutex_);
  std::string found;
  const auto is_there = [this, start, from, &found] {
    for (size_t i = *from; i < lines_.size(); ++i) {
      if (absl::StartsWith(lines_[i], start)) {
        found = lines_[i];
        *from = i + 1;
        return true;
      }
    }
    return false;
  };
  if (!changed_.wait_for(lock, std::chrono::seconds(30), is_there)) {
    std::string rest;
    for (size_t i = *from; i < lines_.size(); ++i) {
      rest += lines_[i] + "\n";
    }
    ADD_FAILURE() << "no line begins with '" << std::string(start) << "' in:\n" << rest;
  }
  return found;
}

std::vector<std::string> MemorySink::lines() const {
  const std::lock_guard lock(mutex_);
  return lines_;
}

Chat::Chat(SearcherFactory factory)
    : session_({"Chuhe", "1.2", "the Chuhe developers"}, std::move(factory), &source_, &sink_),
      thread_([this] { session_.Run(); }) {}

Chat::~Chat() { Finish(); }

void Chat::Send(const std::string& lines) {
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    source_.Push(std::string(line));
  }
}

std::string Chat::Expect(absl::string_view start) { return sink_.WaitFor(start, &passed_); }

void Chat::Sync() {
  Send("isready");
  Expect("readyok");
}

std::vector<std::string> Chat::Rest() {
  const size_t from = passed_;
  Sync();
  std::vector<std::string> lines = sink_.lines();
  return {lines.begin() + static_cast<std::ptrdiff_t>(from),
          lines.begin() + static_cast<std::ptrdiff_t>(passed_ - 1)};
}

std::vector<std::string> Chat::Finish() {
  source_.Close();
  if (thread_.joinable()) {
    thread_.join();
  }
  return sink_.lines();
}

int Count(const std::vector<std::string>& lines, absl::string_view start) {
  return static_cast<int>(
      std::count_if(lines.begin(), lines.end(),
                    [start](const std::string& line) { return absl::StartsWith(line, start); }));
}

}  // namespace chuhe
