#include "engine/base/bounded_queue.h"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(BoundedQueueTest, GivesItemsInTheirOrder) {
  BoundedQueue<int> queue(3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.Push(i));
  EXPECT_EQ(queue.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.Pop(), i);
  EXPECT_EQ(queue.size(), 0u);
}

TEST(BoundedQueueTest, TryingDoesNotBlock) {
  BoundedQueue<int> queue(1);
  EXPECT_EQ(queue.TryPop(), std::nullopt);
  EXPECT_TRUE(queue.TryPush(1));
  EXPECT_FALSE(queue.TryPush(2));
  EXPECT_EQ(queue.TryPop(), 1);
}

TEST(BoundedQueueTest, ClosedItGivesWhatIsInsideAndTakesNoMore) {
  BoundedQueue<int> queue(2);
  queue.Push(1);
  queue.Close();
  EXPECT_TRUE(queue.is_closed());
  EXPECT_FALSE(queue.Push(2));
  EXPECT_FALSE(queue.TryPush(2));
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), std::nullopt);
}

TEST(BoundedQueueTest, ARefusedItemStaysWithTheCaller) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  queue.Close();
  auto item = std::make_unique<int>(7);
  EXPECT_FALSE(queue.Push(std::move(item)));
  EXPECT_TRUE(item != nullptr && *item == 7);  // NOLINT(bugprone-use-after-move): the point
}

TEST(BoundedQueueTest, PushWaitsForRoom) {
  BoundedQueue<int> queue(1);
  queue.Push(0);
  std::atomic<bool> is_in = false;
  std::jthread pusher([&] {
    queue.Push(1);
    is_in = true;
  });
  EXPECT_FALSE(is_in);
  EXPECT_EQ(queue.Pop(), 0);
  EXPECT_EQ(queue.Pop(), 1);
}

TEST(BoundedQueueTest, ClosingWakesAllWhoWait) {
  BoundedQueue<int> empty(1);
  BoundedQueue<int> full(1);
  full.Push(0);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] { EXPECT_EQ(empty.Pop(), std::nullopt); });
    threads.emplace_back([&] { EXPECT_FALSE(full.Push(1)); });
  }
  empty.Close();
  full.Close();
}

TEST(BoundedQueueTest, BetweenManyThreadsNothingIsLostOrDoubled) {
  constexpr size_t kThreads = 3;
  constexpr size_t kItems = 2000;
  BoundedQueue<size_t> queue(5);
  std::vector<std::atomic<int>> seen(kThreads * kItems);
  std::vector<std::jthread> takers;
  takers.reserve(kThreads);
  for (size_t t = 0; t < kThreads; ++t) {
    takers.emplace_back([&] {
      while (const auto item = queue.Pop()) ++seen[*item];
    });
  }
  {
    std::vector<std::jthread> makers;
    makers.reserve(kThreads);
    for (size_t t = 0; t < kThreads; ++t) {
      makers.emplace_back([&, t] {
        for (size_t i = 0; i < kItems; ++i) EXPECT_TRUE(queue.Push(t * kItems + i));
      });
    }
  }
  queue.Close();
  takers.clear();
  for (const auto& count : seen) ASSERT_EQ(count, 1);
}

}  // namespace
}  // namespace chuhe
