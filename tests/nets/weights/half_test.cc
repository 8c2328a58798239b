#include "nets/weights/half.h"

#include <bit>
#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What a finite half means, by the definition of binary16.
double ValueOf(uint16_t half) {
  const int exponent = (half >> 10) & 0x1f;
  const int fraction = half & 0x3ff;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

TEST(HalfTest, EveryHalfIsTheFloatThatItMeans) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = FloatFromHalf(half);
    if ((half & 0x7c00) != 0x7c00) {
      ASSERT_EQ(static_cast<double>(value), ValueOf(half)) << bits;
    } else if ((half & 0x3ff) == 0) {
      ASSERT_EQ(value, half & 0x8000 ? -kInfinity : kInfinity);
    } else {
      ASSERT_TRUE(std::isnan(value)) << bits;
    }
    ASSERT_EQ(std::signbit(value), half >= 0x8000) << bits;
  }
}

TEST(HalfTest, EveryHalfComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    ASSERT_EQ(HalfFromFloat(FloatFromHalf(static_cast<uint16_t>(bits))), bits);
  }
}

TEST(HalfTest, BetweenTwoHalvesTheNearerIsTakenAndTheEvenOneInTheMiddle) {
  // The last step is to infinity, which rounds as the power of two in its place would.
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const auto low = static_cast<uint16_t>(bits);
    const auto high = static_cast<uint16_t>(bits + 1);
    const auto low_value = static_cast<float>(ValueOf(low));
    const auto high_value = static_cast<float>(ValueOf(high));
    const float middle = (low_value + high_value) / 2;
    ASSERT_EQ(HalfFromFloat(middle), low % 2 == 0 ? low : high) << bits;
    ASSERT_EQ(HalfFromFloat(std::nextafter(middle, 0.0F)), low) << bits;
    ASSERT_EQ(HalfFromFloat(std::nextafter(middle, kInfinity)), high) << bits;
    ASSERT_EQ(HalfFromFloat(-middle), 0x8000 | (low % 2 == 0 ? low : high)) << bits;
  }
}

TEST(HalfTest, WhatIsTooLargeIsInfinite) {
  for (const float value : {65520.0F, 1e5F, std::numeric_limits<float>::max(), kInfinity}) {
    EXPECT_EQ(HalfFromFloat(value), 0x7c00);
    EXPECT_EQ(HalfFromFloat(-value), 0xfc00);
  }
  EXPECT_EQ(HalfFromFloat(65519.0F), 0x7bff);
}

TEST(HalfTest, WhatIsTooSmallIsZeroWithItsSign) {
  for (const float value : {std::numeric_limits<float>::denorm_min(), 1e-30F, 0x1p-25F, 0.0F}) {
    EXPECT_EQ(HalfFromFloat(value), 0);
    EXPECT_EQ(HalfFromFloat(-value), 0x8000);
  }
}

TEST(HalfTest, NanStaysNanWhateverItsPayload) {
  for (const uint32_t bits : {0x7f800001U, 0x7fc00000U, 0xffffffffU, 0x7f801fffU}) {
    EXPECT_TRUE(std::isnan(FloatFromHalf(HalfFromFloat(std::bit_cast<float>(bits))))) << bits;
  }
}

}  // namespace
}  // namespace chuhe
