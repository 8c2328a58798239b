#include "engine/base/random.h"

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(RandomTest, SplitMix64GivesItsPublishedNumbers) {
  uint64_t state = 1234567;
  EXPECT_EQ(SplitMix64(state), 6457827717110365317u);
  EXPECT_EQ(SplitMix64(state), 3203168211198807973u);
  EXPECT_EQ(SplitMix64(state), 9817491932198370423u);
}

TEST(RandomTest, XoshiroGivesItsPublishedNumbers) {
  Random random = Random::FromState({1, 2, 3, 4});
  EXPECT_EQ(random.Next(), 11520u);
  EXPECT_EQ(random.Next(), 0u);
  EXPECT_EQ(random.Next(), 1509978240u);
  EXPECT_EQ(random.Next(), 1215971899390074240u);
}

TEST(RandomTest, SameSeedAndStreamGiveTheSameNumbers) {
  Random a(7, StreamId("noise", 3));
  Random b(7, StreamId("noise", 3));
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(a.Next(), b.Next());
  }
}

TEST(RandomTest, NeighbouringSeedsAndStreamsShareNoNumbers) {
  std::set<uint64_t> seen;
  size_t drawn = 0;
  for (uint64_t seed = 0; seed < 32; ++seed) {
    for (uint64_t stream = 0; stream < 32; ++stream) {
      Random random(seed, stream);
      for (int i = 0; i < 16; ++i, ++drawn) {
        seen.insert(random.Next());
      }
      // The words of the state itself must not be those of a neighbour, shifted by one.
      const Random::State state = Random(seed, stream).state();
      for (const uint64_t word : state) {
        seen.insert(word);
        ++drawn;
      }
    }
  }
  EXPECT_EQ(seen.size(), drawn);
}

TEST(RandomTest, StreamIdsDifferByNameAndByIndex) {
  const std::set<uint64_t> ids = {StreamId("noise"), StreamId("noise", 1), StreamId("opening"),
                                  StreamId("opening", 1), StreamId("")};
  EXPECT_EQ(ids.size(), 5u);
}

TEST(RandomTest, GoesOnFromASavedState) {
  Random random(1);
  random.Next();
  Random resumed = Random::FromState(random.state());
  EXPECT_EQ(resumed.Next(), random.Next());
}

TEST(RandomTest, BelowReachesEveryValueEquallyOften) {
  Random random(42);
  constexpr int kExpected = 20000;
  std::array<int, 6> counts = {};
  for (int i = 0; i < 6 * kExpected; ++i) {
    ++counts.at(random.Below(6));
  }
  // The standard deviation is 129: five of them either way.
  for (const int count : counts) {
    EXPECT_NEAR(count, kExpected, 645);
  }
}

TEST(RandomTest, BelowHoldsAtTheEdgesOfItsRange) {
  Random random(42);
  const Random::State before = random.state();
  EXPECT_EQ(random.Below(1), 0u);
  EXPECT_EQ(random.state(), before) << "a choice of one draws nothing";
  constexpr uint64_t kOverHalf = (uint64_t{1} << 63) + 1;
  bool upper_half = false;
  for (int i = 0; i < 64; ++i) {
    const uint64_t value = random.Below(kOverHalf);
    ASSERT_LT(value, kOverHalf);
    upper_half |= value >= kOverHalf / 2;
  }
  EXPECT_TRUE(upper_half);
}

TEST(RandomTest, UniformDoubleStaysInRangeAndHasTheRightMean) {
  Random random(42);
  constexpr int kDraws = 100000;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.UniformDouble();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * 0.2887 / 316.2);
}

}  // namespace
}  // namespace chuhe
