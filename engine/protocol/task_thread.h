// A thread that does what it is given, one task after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace chuhe {

// Thread-safe.
class TaskThread {
 public:
  TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;
  // Blocks until all tasks are done.
  ~TaskThread();

  void Post(std::function<void()> task);
  // Blocks until there is nothing left to do. Not to be called from a task.
  void WaitUntilIdle();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;  // the one that is being done stays in front
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace chuhe
