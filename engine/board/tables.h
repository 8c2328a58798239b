// Look-up tables of the board: Zobrist keys, lines, and the targets of every kind of man.
//
// Sliders are looked up by line: the ten points of a file (or the nine of a rank, with the tenth
// bit empty) are an index, so both need one table of 40 KiB and no 90-bit arithmetic.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/random.h"
#include "engine/board/bitboard.h"
#include "engine/board/types.h"

namespace chuhe {

constexpr int kLineLength = 10;
constexpr int kLineStates = 1 << kLineLength;
constexpr unsigned kRankMask = (1u << kFiles) - 1;

// A point with its coordinates taken apart once. kNoSquare has zeros.
struct Point {
  uint8_t file = 0;
  uint8_t rank = 0;
};

inline constexpr auto kPoints = [] {
  std::array<Point, kSquares + 1> points{};
  for (int s = 0; s < kSquares; ++s) {
    points[s] = {static_cast<uint8_t>(s % kFiles), static_cast<uint8_t>(s / kFiles)};
  }
  return points;
}();

// Bitboard::Of() without its branch; empty for kNoSquare.
inline constexpr auto kSquareBits = [] {
  std::array<Bitboard, kSquares + 1> bits{};
  for (int s = 0; s < kSquares; ++s) bits[s] = Bitboard::Of(static_cast<Square>(s));
  return bits;
}();

// What a slider on one point of a line reaches, as bits of the line.
struct LineReach {
  uint16_t rook = 0;    // empty points up to the first man on either side, and that man
  uint16_t cannon = 0;  // the second man on either side
};

struct BoardTables {
  LineReach line[kLineLength][kLineStates];  // by point on the line, men on the line
  uint8_t line_bits[kLineStates][16];        // the set bits of a line, rising
  Bitboard knight[kSquares][16];             // by free legs: bits west, south, east, north
  Bitboard bishop[kSquares][16];             // by free eyes: bits SW, NW, SE, NE
  Bitboard advisor[kSquares];
  Bitboard king[kSquares];
  Bitboard pawn[2][kSquares];              // by colour: targets
  Bitboard pawn_attackers[2][kSquares];    // by colour of the pawns: points from which they attack
  uint8_t knight_leg[kSquares][kSquares];  // of a knight's move; kNoSquare if it is none
  Bitboard between[kSquares][kSquares];    // strictly between two points of one line
};

// Filled before main() begins, immutable afterwards.
extern const BoardTables kTables;

// Keys by kind of man and point, and one for Black to move. Index kNoUnit and kNoSquare give 0,
// so that "nothing was captured" needs no branch.
struct ZobristKeys {
  uint64_t men[2 * kPieceTypes + 1][kSquares + 1];
  uint64_t black_to_move;
};

inline constexpr auto kKindOfUnit = [] {
  std::array<uint8_t, kUnits + 1> kinds{};
  for (int unit = 0; unit < kUnits; ++unit) {
    const Unit u = static_cast<Unit>(unit);
    kinds[unit] = static_cast<uint8_t>(Index(ColorOf(u)) * kPieceTypes + Index(TypeOf(u)));
  }
  kinds[kNoUnit] = 2 * kPieceTypes;
  return kinds;
}();

inline constexpr ZobristKeys kZobrist = [] {
  ZobristKeys keys{};
  uint64_t state = 0x43'68'75'48'65;  // any number will do
  for (int kind = 0; kind < 2 * kPieceTypes; ++kind) {
    for (int s = 0; s < kSquares; ++s) keys.men[kind][s] = SplitMix64(state);
  }
  keys.black_to_move = SplitMix64(state);
  return keys;
}();

}  // namespace chuhe
