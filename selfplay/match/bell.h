// Where one thread, or one fiber (fiber_group.h), waits until somebody rings.
#pragma once

#include "absl/base/thread_annotations.h"
#include "engine/base/mutex.h"
#include "selfplay/match/fiber_group.h"

namespace chuhe {

// Thread-safe; one waits at a time.
class Bell {
 public:
  // Rings before a wait end it at once; several are as one.
  void Ring();
  // Blocks the thread, or lets other fibers of the thread go on.
  void Wait();

 private:
  void WaitInFiber(FiberGroup::Fiber* fiber);

  Mutex mutex_;
  CondVar rung_;
  bool is_rung_ ABSL_GUARDED_BY(mutex_) = false;
  FiberGroup::Fiber* waiter_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace chuhe
