// Functions that take turns on one thread. Each has a stack of its own, with which it is a fiber:
// it runs until it waits for something, and then the next one that is ready goes on.
//
//   thread ─► Run() ─┬─► fiber ─► Suspend() ─┐
//                    ├─► fiber ─► Suspend() ─┼─► the next that is ready; the thread sleeps
//                    └─► fiber ─► its end ───┘   only while none is
//
// They are for games that wait for each other ten thousand times a second: falling asleep and being
// woken costs a thread microseconds, a switch between fibers costs a hundredth of that.
//
// A fiber never moves to another thread, so what belongs to one thread may belong to one fiber. It
// must not wait while it holds a lock, since a fiber of the same thread may want that lock.
#pragma once

#include <deque>
#include <functional>
#include <span>

#include "absl/base/thread_annotations.h"
#include "engine/base/mutex.h"

namespace chuhe {

// Thread-safe: MakeReady(). The rest is for the thread that runs the fibers.
class FiberGroup {
 public:
  class Fiber;

  FiberGroup() = default;
  FiberGroup(const FiberGroup&) = delete;
  FiberGroup& operator=(const FiberGroup&) = delete;

  // Runs the functions to their ends; they begin in this order. Not within a fiber. They must not
  // throw. Blocks.
  void Run(std::span<const std::function<void()>> functions);

  // What the calling code is part of; null where that is no fiber.
  static Fiber* Running();
  static const FiberGroup* Current();

  // The next two are for fibers. Until it has been made ready, which may have happened before.
  static void Suspend();
  // Lets those that are ready go first.
  static void Yield();
  // Once for each Suspend().
  static void MakeReady(Fiber* fiber);

 private:
  void Enqueue(Fiber* fiber);
  // Blocks until one is ready.
  Fiber* NextReady();
  bool HasReady();

  Mutex mutex_;
  CondVar has_ready_;
  std::deque<Fiber*> ready_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace chuhe
