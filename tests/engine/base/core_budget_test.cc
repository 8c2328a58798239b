#include "engine/base/core_budget.h"

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

TEST(CoreBudgetTest, LeasesNeverSumToMoreThanThereAre) {
  CoreBudget budget(4);
  const auto selfplay = budget.Lease("self-play", 3);
  ASSERT_TRUE(selfplay.ok());
  EXPECT_EQ(budget.free_cores(), 1);
  EXPECT_EQ(budget.Lease("trainer", 2).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(budget.free_cores(), 1);
  EXPECT_TRUE(budget.Lease("trainer", 1).ok());
}

TEST(CoreBudgetTest, GivesAsManyAsAreFreeWithinTheBounds) {
  CoreBudget budget(4);
  const auto trainer = budget.Lease("trainer", 1);
  const auto search = budget.Lease("search", 1, 100);
  ASSERT_TRUE(search.ok());
  EXPECT_EQ(search->cores(), 3);
}

TEST(CoreBudgetTest, ALeaseEndsWithItsObjectOrBefore) {
  CoreBudget budget(2);
  {
    auto lease = budget.Lease("search", 2);
    ASSERT_TRUE(lease.ok());
    EXPECT_EQ(budget.free_cores(), 0);
    lease->Return();
    EXPECT_EQ(budget.free_cores(), 2);
    EXPECT_EQ(lease->cores(), 0);
    lease = budget.Lease("loader", 1);
    EXPECT_EQ(budget.free_cores(), 1);
  }
  EXPECT_EQ(budget.free_cores(), 2);
}

TEST(CoreBudgetTest, AMovedLeaseIsGivenBackOnce) {
  CoreBudget budget(3);
  auto first = budget.Lease("search", 2);
  ASSERT_TRUE(first.ok());
  CoreLease second(std::move(*first));
  EXPECT_EQ(second.cores(), 2);
  first->Return();
  EXPECT_EQ(budget.free_cores(), 1);
  second = CoreLease();
  EXPECT_EQ(budget.free_cores(), 3);
}

TEST(CoreBudgetTest, DescribesWhoHasWhat) {
  CoreBudget budget(2);
  EXPECT_EQ(budget.Describe(), "2 cores: free 2");
  const auto selfplay = budget.Lease("self-play", 1);
  EXPECT_EQ(budget.Describe(), "2 cores: self-play 1, free 1");
  const auto trainer = budget.Lease("trainer", 1);
  EXPECT_EQ(budget.Describe(), "2 cores: self-play 1, trainer 1");
  EXPECT_EQ(CoreBudget(1).Describe(), "1 core: free 1");
}

TEST(CoreBudgetTest, LeasesOfOneNameAreDescribedTogether) {
  CoreBudget budget(8);
  const auto a = budget.Lease("self-play", 2);
  const auto b = budget.Lease("trainer", 1);
  auto c = budget.Lease("self-play", 3);
  EXPECT_EQ(budget.Describe(), "8 cores: self-play 5, trainer 1, free 2");
  c->Return();
  EXPECT_EQ(budget.Describe(), "8 cores: self-play 2, trainer 1, free 5");
}

TEST(CoreBudgetTest, TheErrorSaysWhoHasTheCores) {
  CoreBudget budget(2);
  const auto selfplay = budget.Lease("self-play", 2);
  const auto refused = budget.Lease("trainer", 1);
  EXPECT_EQ(refused.status().message(), "trainer needs 1 core, but of 2 cores: self-play 2");
}

TEST(CoreBudgetTest, RefusesBoundsThatMakeNoSense) {
  CoreBudget budget(2);
  for (const auto& [least, most] : {std::pair(0, 1), std::pair(-1, -1), std::pair(2, 1)}) {
    const auto refused = budget.Lease("search", least, most);
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(refused.status().message()), HasSubstr("search"));
  }
}

TEST(CoreBudgetTest, ManyThreadsStayWithinTheBudget) {
  CoreBudget budget(3);
  std::atomic<int> busy = 0;
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, name = std::to_string(t)] {
      for (int i = 0; i < 300; ++i) {
        const auto lease = budget.Lease(name, 1, 2);
        if (!lease.ok()) continue;
        EXPECT_LE(busy += lease->cores(), 3);
        busy -= lease->cores();
      }
    });
  }
  threads.clear();
  EXPECT_EQ(budget.free_cores(), 3);
}

}  // namespace
}  // namespace chuhe
