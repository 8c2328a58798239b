// Eight floats at once, in the vector types of GCC and clang; other compilers take plain loops.
#pragma once

#include <cstdint>
#include <cstring>

namespace chuhe {

constexpr int kLanes = 8;

#if defined(__GNUC__)

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

inline void LoadLanes(const float* from, Lanes* lanes) { std::memcpy(lanes, from, sizeof(*lanes)); }
inline void StoreLanes(const Lanes& lanes, float* to) { std::memcpy(to, &lanes, sizeof(lanes)); }

// Each word holds two bfloat16 numbers; such a number is the upper half of a float.
inline void LoadBfloat16Pairs(const uint32_t* from, Lanes* low, Lanes* high) {
  using Words = uint32_t __attribute__((vector_size(kLanes * sizeof(uint32_t))));
  Words words;
  std::memcpy(&words, from, sizeof(words));
  const Words low_words = words << 16;
  const Words high_words = words & 0xffff0000;
  std::memcpy(low, &low_words, sizeof(*low));
  std::memcpy(high, &high_words, sizeof(*high));
}

#else

struct Lanes {
  float values[kLanes];
  float operator[](int i) const { return values[i]; }
};
inline Lanes operator*(const Lanes& a, const Lanes& b) {
  Lanes product;
  for (int i = 0; i < kLanes; ++i) product.values[i] = a.values[i] * b.values[i];
  return product;
}
inline Lanes operator*(const Lanes& a, float b) {
  Lanes product;
  for (int i = 0; i < kLanes; ++i) product.values[i] = a.values[i] * b;
  return product;
}
inline Lanes& operator+=(Lanes& a, const Lanes& b) {
  for (int i = 0; i < kLanes; ++i) a.values[i] += b.values[i];
  return a;
}

inline void LoadLanes(const float* from, Lanes* lanes) { std::memcpy(lanes, from, sizeof(*lanes)); }
inline void StoreLanes(const Lanes& lanes, float* to) { std::memcpy(to, &lanes, sizeof(lanes)); }
inline void LoadBfloat16Pairs(const uint32_t* from, Lanes* low, Lanes* high) {
  for (int i = 0; i < kLanes; ++i) {
    const uint32_t low_word = from[i] << 16;
    const uint32_t high_word = from[i] & 0xffff0000;
    std::memcpy(&low->values[i], &low_word, sizeof(low_word));
    std::memcpy(&high->values[i], &high_word, sizeof(high_word));
  }
}

#endif

inline float SumOfLanes(const Lanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

}  // namespace chuhe
