// The glossary of the board: colours, piece types, squares, units and moves.
//
// Squares are numbered rank * 9 + file, file 0 = a (Red's left) … 8 = i, rank 0 = Red's home … 9.
// A *unit* is one particular man of the set: it keeps its number while it moves, so that the
// repetition judge can follow it. Red has units 0–15, Black 16–31, each side in the order
// K A A B B N N R R C C P P P P P.
#pragma once

#include <cstdint>

namespace chuhe {

enum class Color : uint8_t { kRed, kBlack };

constexpr Color Opponent(Color color) { return color == Color::kRed ? Color::kBlack : Color::kRed; }
constexpr int Index(Color color) { return static_cast<int>(color); }

// The FEN letters are K A B N R C P, upper case for Red.
enum class PieceType : uint8_t {
  kKing,
  kAdvisor,
  kBishop,  // elephant
  kKnight,  // horse
  kRook,    // chariot
  kCannon,
  kPawn,  // soldier
};
constexpr int kPieceTypes = 7;
constexpr int Index(PieceType type) { return static_cast<int>(type); }

constexpr int kFiles = 9;
constexpr int kRanks = 10;
constexpr int kSquares = kFiles * kRanks;

using Square = uint8_t;
constexpr Square kNoSquare = kSquares;  // where captured units are

constexpr Square MakeSquare(int file, int rank) {
  return static_cast<Square>(rank * kFiles + file);
}
constexpr int FileOf(Square square) { return square % kFiles; }
constexpr int RankOf(Square square) { return square / kFiles; }
// The same point seen from the other side of the board (half a turn), and left–right mirrored.
constexpr Square Turned(Square square) { return static_cast<Square>(kSquares - 1 - square); }
constexpr Square Mirrored(Square square) {
  return MakeSquare(kFiles - 1 - FileOf(square), RankOf(square));
}
// True where a pawn of `color` has crossed the river.
constexpr bool IsAcrossRiver(Color color, Square square) {
  return color == Color::kRed ? square >= kSquares / 2 : square < kSquares / 2;
}

using Unit = uint8_t;
constexpr int kUnits = 32;
constexpr int kUnitsPerSide = 16;
constexpr Unit kNoUnit = kUnits;

constexpr Color ColorOf(Unit unit) { return unit < kUnitsPerSide ? Color::kRed : Color::kBlack; }

constexpr PieceType TypeOf(Unit unit) {
  constexpr PieceType kTypes[kUnitsPerSide] = {
      PieceType::kKing,   PieceType::kAdvisor, PieceType::kAdvisor, PieceType::kBishop,
      PieceType::kBishop, PieceType::kKnight,  PieceType::kKnight,  PieceType::kRook,
      PieceType::kRook,   PieceType::kCannon,  PieceType::kCannon,  PieceType::kPawn,
      PieceType::kPawn,   PieceType::kPawn,    PieceType::kPawn,    PieceType::kPawn};
  return kTypes[unit % kUnitsPerSide];
}

// The first unit of a kind, and how many a set has.
constexpr Unit FirstUnit(Color color, PieceType type) {
  constexpr Unit kFirst[kPieceTypes] = {0, 1, 3, 5, 7, 9, 11};
  return static_cast<Unit>(Index(color) * kUnitsPerSide + kFirst[Index(type)]);
}
constexpr int UnitCount(PieceType type) {
  constexpr int kCount[kPieceTypes] = {1, 2, 2, 2, 2, 2, 5};
  return kCount[Index(type)];
}
constexpr Unit KingOf(Color color) { return FirstUnit(color, PieceType::kKing); }

// A set of units, bit u for unit u.
using UnitSet = uint32_t;
constexpr UnitSet UnitBit(Unit unit) { return UnitSet{1} << unit; }

// From and to squares in 16 bits. The default value is no move (a0 to a0).
class Move {
 public:
  constexpr Move() = default;
  constexpr Move(Square from, Square to) : bits_(static_cast<uint16_t>(from << 7 | to)) {}
  static constexpr Move FromBits(uint16_t bits) {
    Move move;
    move.bits_ = bits;
    return move;
  }

  constexpr Square from() const { return static_cast<Square>(bits_ >> 7); }
  constexpr Square to() const { return static_cast<Square>(bits_ & 127); }
  constexpr uint16_t bits() const { return bits_; }
  constexpr explicit operator bool() const { return bits_ != 0; }
  friend constexpr bool operator==(Move, Move) = default;

 private:
  uint16_t bits_ = 0;
};

}  // namespace chuhe
