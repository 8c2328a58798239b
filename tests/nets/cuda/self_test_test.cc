#include "nets/cuda/self_test.h"

#include <cstdint>
#include <set>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

// Computed elsewhere from the definition, with unbounded integers cut to 32 bits.
TEST(CudaSelfTestTest, HostBodyGivesTheDefinedNumbers) {
  EXPECT_EQ(SelfTestValue(0), 0u);
  EXPECT_EQ(SelfTestValue(1), 1561424042u);
  EXPECT_EQ(SelfTestValue(4095), 2924108599u);
}

TEST(CudaSelfTestTest, NeighboursDifferSoThatAShiftedResultIsNoticed) {
  std::set<uint32_t> values;
  for (uint32_t i = 0; i < kSelfTestSize; ++i) {
    values.insert(SelfTestValue(i));
  }
  EXPECT_EQ(values.size(), size_t{kSelfTestSize});
}

}  // namespace
}  // namespace chuhe
