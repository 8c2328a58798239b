#include "selfplay/match/bell.h"

#include <utility>

namespace chuhe {

void Bell::Ring() {
  FiberGroup::Fiber* fiber = nullptr;
  {
    const MutexLock lock(&mutex_);
    is_rung_ = true;
    fiber = std::exchange(waiter_, nullptr);
  }
  if (fiber != nullptr) {
    FiberGroup::MakeReady(fiber);
  } else {
    rung_.NotifyOne();
  }
}

void Bell::Wait() {
  if (FiberGroup::Fiber* const fiber = FiberGroup::Running()) return WaitInFiber(fiber);
  const MutexLock lock(&mutex_);
  while (!is_rung_) rung_.Wait(&mutex_);
  is_rung_ = false;
}

void Bell::WaitInFiber(FiberGroup::Fiber* fiber) {
  while (true) {
    {
      const MutexLock lock(&mutex_);
      if (std::exchange(is_rung_, false)) return;
      waiter_ = fiber;
    }
    // Whoever rings in between makes the fiber ready before it is suspended.
    FiberGroup::Suspend();
  }
}

}  // namespace chuhe
