// Seeded random streams that give the same numbers on every machine and compiler.
//
// All chance in Chuhe comes from such streams, each owned by the part that draws from it, so that
// a run repeats byte for byte from its seed. The distributions of <random> differ between standard
// libraries; that is why the few that we need are here.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <string_view>

namespace chuhe {

// The step of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
// OOPSLA 2014): adds the golden ratio's 64-bit fraction and mixes. Good for making seeds.
constexpr uint64_t SplitMix64(uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// The number of a stream that has a name and, where there are many of one name, an index, such as
// StreamId("opening", game_number). FNV-1a (Fowler, Noll, Vo) of the name, then the index mixed in.
constexpr uint64_t StreamId(std::string_view name, uint64_t index = 0) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  uint64_t state = hash ^ index;
  return SplitMix64(state);
}

// xoshiro256** 1.0 (Blackman, Vigna: "Scrambled linear pseudorandom number generators", ACM TOMS
// 47, 2021). Owned by one thread; 32 bytes, cheap to copy. Not for secrets.
class Random {
 public:
  using State = std::array<uint64_t, 4>;

  // Streams of one seed are independent of each other, and so are the same streams of two seeds.
  explicit constexpr Random(uint64_t seed, uint64_t stream = 0) {
    // Seed and stream are mixed one after the other, so that neighbours have nothing in common.
    uint64_t seed_state = seed;
    uint64_t state = SplitMix64(seed_state) ^ stream;
    state = SplitMix64(state);
    for (uint64_t& word : state_) {
      word = SplitMix64(state);
    }
  }

  // Goes on where the stream with this state() was. All zeros is no state.
  static constexpr Random FromState(const State& state) {
    assert(state != State{});
    Random random(0);
    random.state_ = state;
    return random;
  }
  constexpr const State& state() const { return state_; }

  // Uniform over all 64-bit numbers.
  constexpr uint64_t Next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform over 0 … n − 1, without bias; n is at least 1. Draws as many bits as n − 1 has until
  // they are below n: less than two draws on average.
  constexpr uint64_t Below(uint64_t n) {
    assert(n > 0);
    const int bits = static_cast<int>(std::bit_width(n - 1));
    if (bits == 0) {
      return 0;
    }
    uint64_t value = Next() >> (64 - bits);
    while (value >= n) {
      value = Next() >> (64 - bits);
    }
    return value;
  }

  // Uniform over the multiples of 2^-53 in [0, 1).
  constexpr double UniformDouble() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  State state_ = {};
};

}  // namespace chuhe
