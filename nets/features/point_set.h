// A set of points as the side to move sees them, in two words of 45 bits: the own half of the board
// and the far half. For the CPU and for kernels.
//
// Unlike engine/board/bitboard.h both words are alike, so that nothing here needs a table.
#pragma once

#include <bit>
#include <cstdint>

#include "nets/features/host_device.h"

namespace chuhe {

// Position of the highest bit; the word must not be 0.
CHUHE_HOST_DEVICE inline int HighestBit(uint32_t word) {
#if defined(__CUDA_ARCH__)
  return 31 - __clz(static_cast<int>(word));
#else
  return std::bit_width(word) - 1;
#endif
}

// All bits if the condition holds, else none. Points are data that no branch predictor foresees, so
// what depends on them is chosen by masks.
CHUHE_HOST_DEVICE inline uint64_t MaskIf(bool condition) { return 0 - uint64_t{condition}; }

struct PointSet {
  static constexpr int kHalf = 45;
  static constexpr uint64_t kHalfMask = (uint64_t{1} << kHalf) - 1;
  static constexpr uint32_t kRankMask = 0x1ff;

  // Without default values, so that kernels can have arrays of sets in shared memory: `{}` is the
  // empty set.
  uint64_t own_half;  // points 0–44
  uint64_t far_half;  // points 45–89

  // Empty for kNoSquare, which is 90.
  CHUHE_HOST_DEVICE static PointSet Of(int square) {
    const int far = square - kHalf;
    return {uint64_t{far < 0} << (square & 63), uint64_t{far >= 0 && far < kHalf} << (far & 63)};
  }

  CHUHE_HOST_DEVICE bool empty() const { return (own_half | far_half) == 0; }

  // False for points up to two ranks beyond the board.
  CHUHE_HOST_DEVICE bool contains(int square) const {
    const uint64_t in_far_half = MaskIf(square >= kHalf);
    const uint64_t word = own_half ^ ((own_half ^ far_half) & in_far_half);
    const int shift = square - (kHalf & static_cast<int>(in_far_half));
    return (word >> (shift & 63) & 1) != 0;
  }

  CHUHE_HOST_DEVICE friend PointSet operator&(PointSet a, PointSet b) {
    return {a.own_half & b.own_half, a.far_half & b.far_half};
  }
  CHUHE_HOST_DEVICE friend PointSet operator|(PointSet a, PointSet b) {
    return {a.own_half | b.own_half, a.far_half | b.far_half};
  }
  CHUHE_HOST_DEVICE friend PointSet operator^(PointSet a, PointSet b) {
    return {a.own_half ^ b.own_half, a.far_half ^ b.far_half};
  }
  // What is in the first and not in the second.
  CHUHE_HOST_DEVICE friend PointSet operator-(PointSet a, PointSet b) {
    return {a.own_half & ~b.own_half, a.far_half & ~b.far_half};
  }

  // A rank as a line, bit f for file f, and back.
  CHUHE_HOST_DEVICE uint32_t RankLine(int rank) const {
    const uint64_t in_far_half = MaskIf(rank >= 5);
    const uint64_t word = own_half ^ ((own_half ^ far_half) & in_far_half);
    return static_cast<uint32_t>(word >> ShiftOfRank(rank)) & kRankMask;
  }
  CHUHE_HOST_DEVICE static PointSet OfRankLine(int rank, uint32_t line) {
    const uint64_t in_far_half = MaskIf(rank >= 5);
    const uint64_t word = uint64_t{line} << ShiftOfRank(rank);
    return {word & ~in_far_half, word & in_far_half};
  }

  // A file as a line, bit r for rank r, and back. The product moves bit 9r to bit 32 + r (and bit
  // r to bit 9r); the other partial products fall into bits of their own, so nothing carries.
  CHUHE_HOST_DEVICE uint32_t FileLine(int file) const {
    const uint64_t own = (own_half >> file & kFileA) * kBytes >> 32;
    const uint64_t far = (far_half >> file & kFileA) * kBytes >> 32;
    return static_cast<uint32_t>((own & 31) | (far & 31) << 5);
  }
  CHUHE_HOST_DEVICE static PointSet OfFileLine(int file, uint32_t line) {
    const uint64_t own = line & 31;
    const uint64_t far = line >> 5;
    return {(own * kBytes & kFileA) << file, (far * kBytes & kFileA) << file};
  }

  // Five ranks, the middle one given: bit 9 · (distance + 2) + f for file f of the rank at that
  // distance. What lies beyond the board is lost.
  CHUHE_HOST_DEVICE static PointSet OfFiveRanks(int middle, uint64_t ranks) {
    const int up = 9 * middle - 18;
    const int far_up = up - kHalf;
    return {ranks >> NotNegative(-up) << NotNegative(up) & kHalfMask,
            ranks >> NotNegative(-far_up) << NotNegative(far_up) & kHalfMask};
  }

 private:
  static constexpr uint64_t kFileA = 0x10'0804'0201;
  static constexpr uint64_t kBytes = 0x1'0101'0101;

  CHUHE_HOST_DEVICE static int ShiftOfRank(int rank) { return 9 * rank - (rank >= 5 ? kHalf : 0); }
  CHUHE_HOST_DEVICE static int NotNegative(int number) { return number & ~(number >> 31); }
};

}  // namespace chuhe
