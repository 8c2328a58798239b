// 16-bit floating point numbers (IEEE 754 binary16) as files store them. Not every compiler has the
// type, so the conversions are here, in integers, the same everywhere.
#pragma once

#include <bit>
#include <cstdint>

namespace chuhe {

// Exact: every half is a float. NaN keeps its payload.
constexpr float FloatFromHalf(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
  const uint32_t exponent = (half >> 10) & 0x1f;
  const uint32_t fraction = half & 0x3ff;
  if (exponent == 0x1f) {
    return std::bit_cast<float>(sign | 0x7f800000 | (fraction << 13));
  }
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  return std::bit_cast<float>(sign | ((exponent + 127 - 15) << 23) | (fraction << 13));
}

// The nearest half, of two equally near ones the even. From 65520 up that is infinity. NaN stays
// NaN.
constexpr uint16_t HalfFromFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  const auto with_sign = [sign](uint32_t half) { return static_cast<uint16_t>(sign | half); };
  if (magnitude > 0x7f800000) {
    const uint32_t payload = (magnitude >> 13) & 0x3ff;
    return with_sign(0x7c00 | (payload != 0 ? payload : 0x200));
  }
  if (magnitude >= 0x477ff000) {  // 65520
    return with_sign(0x7c00);
  }
  // Adding half of the last place, or a bit less where that place is even, carries where it should.
  if (magnitude >= 0x38800000) {  // 2^-14, the smallest normal half
    const uint32_t rebiased = magnitude - ((127 - 15) << 23);
    return with_sign((rebiased + 0xfff + ((rebiased >> 13) & 1)) >> 13);
  }
  const uint32_t exponent = magnitude >> 23;
  if (exponent < 102) {  // below 2^-25, half of the smallest
    return with_sign(0);
  }
  const uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  const uint32_t dropped_bits = 126 - exponent;
  const uint32_t half_place = uint32_t{1} << (dropped_bits - 1);
  const uint32_t odd = (significand >> dropped_bits) & 1;
  return with_sign((significand + half_place - 1 + odd) >> dropped_bits);
}

}  // namespace chuhe
