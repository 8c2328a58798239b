#include "selfplay/match/fiber_group.h"

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "selfplay/match/bell.h"

namespace chuhe {
namespace {

using Functions = std::vector<std::function<void()>>;

TEST(FiberGroupTest, FunctionsBeginInOrderAndTakeTurns) {
  std::string course;
  Functions functions;
  for (const char name : {'a', 'b', 'c'}) {
    functions.emplace_back([&course, name] {
      for (int i = 0; i < 3; ++i) {
        course += name;
        FiberGroup::Yield();
      }
    });
  }
  FiberGroup().Run(functions);
  EXPECT_EQ(course, "abcabcabc");
}

TEST(FiberGroupTest, FunctionsMayEndAtOnceOrBeNone) {
  FiberGroup group;
  group.Run({});
  int ended = 0;
  group.Run(Functions(3, [&] { ++ended; }));
  EXPECT_EQ(ended, 3);
}

TEST(FiberGroupTest, OthersGoOnWhereOneHasEnded) {
  std::string course;
  FiberGroup().Run(Functions{[&] { course += 'a'; },
                             [&] {
                               FiberGroup::Yield();
                               course += 'b';
                             },
                             [&] { course += 'c'; }});
  EXPECT_EQ(course, "acb");
}

TEST(FiberGroupTest, CodeKnowsWhetherItIsInAFiber) {
  EXPECT_EQ(FiberGroup::Running(), nullptr);
  EXPECT_EQ(FiberGroup::Current(), nullptr);
  FiberGroup group;
  std::vector<FiberGroup::Fiber*> fibers;
  const auto note = [&] {
    EXPECT_EQ(FiberGroup::Current(), &group);
    FiberGroup::Fiber* const fiber = FiberGroup::Running();
    FiberGroup::Yield();
    EXPECT_EQ(FiberGroup::Running(), fiber);
    fibers.push_back(fiber);
  };
  group.Run(Functions(2, note));
  ASSERT_EQ(fibers.size(), 2);
  EXPECT_NE(fibers[0], nullptr);
  EXPECT_NE(fibers[0], fibers[1]);
  EXPECT_EQ(FiberGroup::Running(), nullptr);
}

TEST(FiberGroupTest, SuspendedFibersGoOnInTheOrderInWhichTheyAreMadeReady) {
  std::string course;
  std::vector<FiberGroup::Fiber*> waiting;
  Functions functions;
  for (const char name : {'a', 'b', 'c'}) {
    functions.emplace_back([&, name] {
      waiting.push_back(FiberGroup::Running());
      FiberGroup::Suspend();
      course += name;
    });
  }
  functions.emplace_back([&] {
    for (const size_t i : {2, 0, 1}) FiberGroup::MakeReady(waiting[i]);
  });
  FiberGroup().Run(functions);
  EXPECT_EQ(course, "cab");
}

TEST(FiberGroupTest, FiberThatIsReadyBeforeItSuspendsGoesOn) {
  bool has_ended = false;
  FiberGroup().Run(Functions{[&] {
    FiberGroup::MakeReady(FiberGroup::Running());
    FiberGroup::Suspend();
    has_ended = true;
  }});
  EXPECT_TRUE(has_ended);
}

TEST(FiberGroupTest, StacksHaveRoom) {
  const auto fill = [] {
    volatile char room[256 << 10];
    for (size_t i = 0; i < sizeof room; i += 64) room[i] = static_cast<char>(i);
    FiberGroup::Yield();
    for (size_t i = 0; i < sizeof room; i += 64) EXPECT_EQ(room[i], static_cast<char>(i));
  };
  FiberGroup().Run(Functions(3, fill));
}

// Not the compiler's to make a loop of.
int Recurse(int depth, const volatile int* more) {
  volatile int room[64] = {};
  room[depth % 64] = depth;
  if (*more == 0) return depth;
  return Recurse(depth + 1, more) + room[*more];
}

TEST(FiberGroupDeathTest, StackThatIsTooSmallEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  volatile int more = 1;
  EXPECT_DEATH(FiberGroup().Run(Functions{[&] { Recurse(0, &more); }}), "");
}

TEST(FiberGroupTest, WhatIsThrownIsCaughtInTheSameFiber) {
  int caught = 0;
  const auto convert = [&] {
    FiberGroup::Yield();
    try {
      static_cast<void>(std::stoi("no number"));
    } catch (const std::invalid_argument&) {
      ++caught;
    }
    FiberGroup::Yield();
  };
  FiberGroup().Run(Functions(3, convert));
  EXPECT_EQ(caught, 3);
}

TEST(BellTest, RingIsNotLostAndSeveralAreAsOne) {
  Bell bell;
  bell.Ring();
  bell.Ring();
  bell.Wait();
  std::string course;
  bell.Ring();
  FiberGroup().Run(Functions{[&] {
                               bell.Wait();
                               course += "1";
                               bell.Wait();
                               course += "3";
                             },
                             [&] {
                               course += "2";
                               bell.Ring();
                             }});
  EXPECT_EQ(course, "123");
}

TEST(BellTest, WakesFibersWhoseThreadSleeps) {
  // Each fiber answers a thread of its own.
  constexpr int kFibers = 3;
  constexpr int kRounds = 300;
  Bell questions[kFibers];
  Bell answers[kFibers];
  int count[kFibers] = {};
  std::vector<std::jthread> threads;
  Functions functions;
  for (int i = 0; i < kFibers; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        questions[i].Ring();
        answers[i].Wait();
        EXPECT_EQ(count[i], round + 1);
      }
    });
    functions.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        questions[i].Wait();
        ++count[i];
        answers[i].Ring();
      }
    });
  }
  FiberGroup().Run(functions);
}

// Passes a number on around a ring of fibers on several threads.
int SumAroundRing(size_t threads, size_t fibers, int rounds) {
  const size_t size = threads * fibers;
  std::vector<Bell> bells(size);
  int sum = 0;
  {
    std::vector<std::jthread> runners;
    for (size_t thread = 0; thread < threads; ++thread) {
      runners.emplace_back([&, thread] {
        Functions functions;
        for (size_t i = thread; i < size; i += threads) {
          functions.emplace_back([&, i] {
            for (int round = 0; round < rounds; ++round) {
              if (i > 0 || round > 0) bells[i].Wait();
              ++sum;
              bells[(i + 1) % size].Ring();
            }
          });
        }
        FiberGroup().Run(functions);
      });
    }
  }
  return sum;
}

TEST(BellTest, ManyFibersOfOneThreadWakeEachOther) { EXPECT_EQ(SumAroundRing(1, 300, 20), 6000); }

TEST(BellTest, FibersOfSeveralThreadsWakeEachOther) { EXPECT_EQ(SumAroundRing(3, 20, 50), 3000); }

}  // namespace
}  // namespace chuhe
