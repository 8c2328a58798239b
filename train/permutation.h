// A shuffle that needs no memory: where a counter goes in a random order of n things.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "engine/base/random.h"

namespace chuhe {

// The image of `index` under a permutation of 0 … n − 1 that `seed` chooses: a Feistel network over
// the next even number of bits, walked until the image is below n (Black and Rogaway 2002, "Ciphers
// with arbitrary finite domains", cycle-walking). Four walks on average at worst.
inline uint64_t PermutedIndex(uint64_t index, uint64_t n, uint64_t seed) {
  assert(index < n);
  constexpr int kRounds = 4;
  const int half_bits = (static_cast<int>(std::bit_width(n - 1)) + 1) / 2;
  const uint64_t mask = (uint64_t{1} << half_bits) - 1;
  do {
    uint64_t left = index >> half_bits;
    uint64_t right = index & mask;
    for (int round = 0; round < kRounds; ++round) {
      uint64_t state = seed ^ (right << 8 | static_cast<uint64_t>(round));
      const uint64_t mixed = left ^ (SplitMix64(state) & mask);
      left = right;
      right = mixed;
    }
    index = left << half_bits | right;
  } while (index >= n);
  return index;
}

}  // namespace chuhe
