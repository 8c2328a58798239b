// What AddressSanitizer and ThreadSanitizer are told of switches between a thread and its fibers.
// In builds without them all this is nothing.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define CHUHE_FIBERS_UNDER_ASAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHUHE_FIBERS_UNDER_ASAN
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define CHUHE_FIBERS_UNDER_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHUHE_FIBERS_UNDER_TSAN
#endif
#endif

#ifdef CHUHE_FIBERS_UNDER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef CHUHE_FIBERS_UNDER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace chuhe {

#ifdef CHUHE_FIBERS_UNDER_ASAN

// A stack that is left and come back to. Owned by one thread.
class SanitizedStack {
 public:
  // Where it is; a thread's own is found out by those to whom it is left.
  void Set(const void* lowest, size_t bytes) {
    lowest_ = lowest;
    bytes_ = bytes;
  }
  // Just before the switch, on this stack.
  void Leave(const SanitizedStack& to) {
    __sanitizer_start_switch_fiber(&fake_, to.lowest_, to.bytes_);
  }
  // Just after it, on this stack.
  void Arrive(SanitizedStack* from) {
    __sanitizer_finish_switch_fiber(fake_, &from->lowest_, &from->bytes_);
  }

 private:
  void* fake_ = nullptr;  // frames that are kept elsewhere, to notice use after return
  const void* lowest_ = nullptr;
  size_t bytes_ = 0;
};

#else

class SanitizedStack {
 public:
  void Set(const void* /*lowest*/, size_t /*bytes*/) {}
  void Leave(const SanitizedStack& /*to*/) {}
  void Arrive(SanitizedStack* /*from*/) {}
};

#endif

#ifdef CHUHE_FIBERS_UNDER_TSAN

// A fiber, for the thread that resumes it. Both are told by the thread, around the switch: so the
// calls and returns of each are counted as its own. Owned by one thread.
class SanitizedFiber {
 public:
  SanitizedFiber() : fiber_(__tsan_create_fiber(0)) {}
  SanitizedFiber(const SanitizedFiber&) = delete;
  SanitizedFiber& operator=(const SanitizedFiber&) = delete;
  ~SanitizedFiber() { __tsan_destroy_fiber(fiber_); }

  // Inlined, or they would be called by one and return in the other.
  [[gnu::always_inline]] void Enter() {
    thread_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, 0);
  }
  [[gnu::always_inline]] void Exit() { __tsan_switch_to_fiber(thread_, 0); }

 private:
  void* const fiber_;
  void* thread_ = nullptr;
};

#else

class SanitizedFiber {
 public:
  void Enter() {}
  void Exit() {}
};

#endif

}  // namespace chuhe
