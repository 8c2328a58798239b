#include "nets/onednn/point_sums.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/board/types.h"

namespace chuhe {
namespace {

constexpr int kStep = 16;  // channels at a time: their sums stay in registers

float ToFloat(float value) { return value; }
float ToFloat(uint16_t bfloat16) { return std::bit_cast<float>(uint32_t{bfloat16} << 16); }

template <typename Value>
void SumFloats(const void* map, int channels, float* sums) {
  for (int first = 0; first < channels; first += kStep) {
    const Value* values = static_cast<const Value*>(map) + first;
    float some[kStep] = {};
    for (int square = 0; square < kSquares; ++square, values += channels) {
      for (int c = 0; c < kStep; ++c) some[c] += ToFloat(values[c]);
    }
    std::copy_n(some, kStep, sums + first);
  }
}

void SumLevels(const void* map, int channels, float* sums) {
  static_assert(kSquares * 255 < 1 << 16);
  for (int first = 0; first < channels; first += kStep) {
    const uint8_t* values = static_cast<const uint8_t*>(map) + first;
    uint16_t some[kStep] = {};
    for (int square = 0; square < kSquares; ++square, values += channels) {
      for (int c = 0; c < kStep; ++c) some[c] = static_cast<uint16_t>(some[c] + values[c]);
    }
    for (int c = 0; c < kStep; ++c) sums[first + c] = some[c];
  }
}

}  // namespace

void SumPoints(Number number, const void* map, int channels, float* sums) {
  switch (number) {
    case Number::kU8:
      return SumLevels(map, channels, sums);
    case Number::kBf16:
      return SumFloats<uint16_t>(map, channels, sums);
    case Number::kF32:
      return SumFloats<float>(map, channels, sums);
  }
}

}  // namespace chuhe
