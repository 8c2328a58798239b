// A set of squares: 90 bits in two words, ranks 0–6 in one and ranks 7–9 in the other, so that no
// rank is torn apart.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/board/types.h"

namespace chuhe {

struct Bitboard {
  static constexpr int kLowSquares = 7 * kFiles;
  static constexpr uint64_t kLowMask = (uint64_t{1} << kLowSquares) - 1;
  static constexpr uint64_t kHighMask = (uint64_t{1} << (kSquares - kLowSquares)) - 1;

  uint64_t lo = 0;  // squares 0–62
  uint64_t hi = 0;  // squares 63–89

  static constexpr Bitboard Of(Square square) {
    return square < kLowSquares ? Bitboard{uint64_t{1} << square, 0}
                                : Bitboard{0, uint64_t{1} << (square - kLowSquares)};
  }
  static constexpr Bitboard All() { return {kLowMask, kHighMask}; }

  constexpr bool empty() const { return (lo | hi) == 0; }
  constexpr int count() const { return std::popcount(lo) + std::popcount(hi); }
  constexpr bool contains(Square square) const {
    return ((square < kLowSquares ? lo >> square : hi >> (square - kLowSquares)) & 1) != 0;
  }

  friend constexpr Bitboard operator&(Bitboard a, Bitboard b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend constexpr Bitboard operator|(Bitboard a, Bitboard b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend constexpr Bitboard operator^(Bitboard a, Bitboard b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  // The complement within the board.
  friend constexpr Bitboard operator~(Bitboard a) { return a ^ All(); }
  constexpr Bitboard& operator&=(Bitboard other) { return *this = *this & other; }
  constexpr Bitboard& operator|=(Bitboard other) { return *this = *this | other; }
  constexpr Bitboard& operator^=(Bitboard other) { return *this = *this ^ other; }
  friend constexpr bool operator==(Bitboard, Bitboard) = default;

  // Towards Black (up) and towards Red (down) by 1 to 9 squares; what leaves the board is lost.
  constexpr Bitboard Up(int squares) const {
    return {lo << squares & kLowMask, (hi << squares | lo >> (kLowSquares - squares)) & kHighMask};
  }
  constexpr Bitboard Down(int squares) const {
    return {(lo >> squares | hi << (kLowSquares - squares)) & kLowMask, hi >> squares};
  }

  // The points of a rank, bit f for file f.
  constexpr unsigned RankLine(int rank) const {
    const uint64_t word = rank < 7 ? lo >> (rank * kFiles) : hi >> ((rank - 7) * kFiles);
    return static_cast<unsigned>(word & 0x1ff);
  }
  // The points of a file, bit r for rank r. The product moves bit 9r to bit 57 + r; the other
  // partial products fall into bits of their own (57 + r + 8d), so nothing carries into these.
  constexpr unsigned FileLine(int file) const {
    constexpr uint64_t kFileA = 0x0040'2010'0804'0201;
    constexpr uint64_t kGather = 0x0202'0202'0202'0200;
    const uint64_t low = (lo >> file & kFileA) * kGather >> 57;
    const uint64_t high = (hi >> file & kFileA) * kGather >> 57;
    return static_cast<unsigned>(low | high << 7);
  }
};

// Calls f(Square) for each square of the set in rising order.
template <typename F>
constexpr void ForEachSquare(Bitboard set, F f) {
  for (uint64_t word = set.lo; word != 0; word &= word - 1) {
    f(static_cast<Square>(std::countr_zero(word)));
  }
  for (uint64_t word = set.hi; word != 0; word &= word - 1) {
    f(static_cast<Square>(Bitboard::kLowSquares + std::countr_zero(word)));
  }
}

}  // namespace chuhe
