#include "selfplay/match/fiber_group.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "selfplay/match/fiber_sanitizers.h"

namespace chuhe {
namespace {

// Games were seen to use 36 KiB, with networks that were opened in them and alpha-beta of depth 6;
// at its deepest that needs some 200. Only pages that are touched cost memory, and the page below
// the stack, which must not be touched, ends the program before anything is overwritten. Less than
// a huge page, or the system might make one of each stack.
constexpr size_t kStackBytes = size_t{1} << 20;

thread_local FiberGroup::Fiber* running_fiber = nullptr;

}  // namespace

// Owned by one thread.
class FiberGroup::Fiber {
 public:
  // The function must stay until the fiber has ended.
  Fiber(FiberGroup* group, const std::function<void()>& function);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  // It must have ended.
  ~Fiber() { assert(has_ended()); }

  // By the thread: goes on with the fiber until that suspends itself or ends.
  void Resume();
  // By the fiber: goes on with the thread, until Resume().
  void Leave();

  bool has_ended() const { return !inside_; }
  FiberGroup* group() const { return group_; }

 private:
  FiberGroup* const group_;
  SanitizedFiber sanitized_;
  SanitizedStack own_stack_;
  SanitizedStack thread_stack_;
  boost::context::fiber inside_;   // where the fiber goes on, while it is suspended
  boost::context::fiber outside_;  // where the thread goes on, while the fiber runs
};

FiberGroup::Fiber::Fiber(FiberGroup* group, const std::function<void()>& function) : group_(group) {
  boost::context::protected_fixedsize_stack allocator(kStackBytes);
  const boost::context::stack_context stack = allocator.allocate();
  own_stack_.Set(static_cast<char*>(stack.sp) - stack.size, stack.size);
  const auto body = [this, &function](boost::context::fiber&& outside) noexcept {
    own_stack_.Arrive(&thread_stack_);
    outside_ = std::move(outside);
    function();
    own_stack_.Leave(thread_stack_);
    return std::move(outside_);
  };
  // This runs the first instructions of the fiber.
  sanitized_.Enter();
  inside_ = boost::context::fiber(std::allocator_arg,
                                  boost::context::preallocated(stack.sp, stack.size, stack),
                                  allocator, body);
  sanitized_.Exit();
}

void FiberGroup::Fiber::Resume() {
  running_fiber = this;
  sanitized_.Enter();
  thread_stack_.Leave(own_stack_);
  inside_ = std::move(inside_).resume();
  thread_stack_.Arrive(&own_stack_);
  sanitized_.Exit();
  running_fiber = nullptr;
}

void FiberGroup::Fiber::Leave() {
  own_stack_.Leave(thread_stack_);
  outside_ = std::move(outside_).resume();
  own_stack_.Arrive(&thread_stack_);
}

void FiberGroup::Run(std::span<const std::function<void()>> functions) {
  assert(running_fiber == nullptr);
  std::vector<std::unique_ptr<Fiber>> fibers;
  for (const std::function<void()>& function : functions) {
    fibers.push_back(std::make_unique<Fiber>(this, function));
    Enqueue(fibers.back().get());
  }
  for (size_t left = fibers.size(); left > 0;) {
    Fiber* const fiber = NextReady();
    fiber->Resume();
    if (fiber->has_ended()) --left;
  }
}

FiberGroup::Fiber* FiberGroup::Running() { return running_fiber; }

const FiberGroup* FiberGroup::Current() {
  return running_fiber == nullptr ? nullptr : running_fiber->group();
}

void FiberGroup::Suspend() { running_fiber->Leave(); }

void FiberGroup::Yield() {
  Fiber* const fiber = running_fiber;
  if (!fiber->group()->HasReady()) return;
  MakeReady(fiber);
  Suspend();
}

void FiberGroup::MakeReady(Fiber* fiber) { fiber->group()->Enqueue(fiber); }

void FiberGroup::Enqueue(Fiber* fiber) {
  const MutexLock lock(&mutex_);
  ready_.push_back(fiber);
  // Under the lock: without it the fiber, and this group with it, might be gone already. No system
  // call unless the thread sleeps.
  has_ready_.NotifyOne();
}

FiberGroup::Fiber* FiberGroup::NextReady() {
  const MutexLock lock(&mutex_);
  while (ready_.empty()) has_ready_.Wait(&mutex_);
  Fiber* const fiber = ready_.front();
  ready_.pop_front();
  return fiber;
}

bool FiberGroup::HasReady() {
  const MutexLock lock(&mutex_);
  return !ready_.empty();
}

}  // namespace chuhe
