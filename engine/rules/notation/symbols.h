// A move of the WXF and Chinese notations as symbols: a name for the man, a direction, a number.
//
//   炮二平五   C2.5     piece + file      direction number
//   前车进一   R++1     which + piece
//   前三进一   3++1     which + file            (the piece is a pawn)
//   前兵九平八          which + piece + file
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/board/types.h"
#include "engine/rules/notation/glyph.h"

namespace chuhe {

// How a text names the man that moves. What a name means depends on the other men of the kind and
// on the school (schools.h).
struct ManName {
  PieceType type = PieceType::kPawn;
  bool has_piece = false;  // false: the piece is left out, and is a pawn
  Which which = Which::kNone;
  uint8_t ordinal = 0;  // 1–9 with Which::kOrdinal, else 0
  uint8_t file = 0;     // 1–9 from the mover's right; 0: left out

  friend bool operator==(const ManName&, const ManName&) = default;
};

// Where the man goes. For kings, rooks, cannons and pawns the number is a distance, sideways and
// for the other men it is the target file.
struct Motion {
  Direction direction = Direction::kForward;
  uint8_t number = 0;  // 1–9

  friend bool operator==(const Motion&, const Motion&) = default;
};

enum class SymbolStyle : uint8_t { kWxf, kChinese };

struct MoveSymbols {
  SymbolStyle style = SymbolStyle::kWxf;
  ManName name;
  Motion motion;
  // `1炮二平五`: the first character is an ordinal or, more likely, the number of the move.
  bool ordinal_may_be_number = false;
};

struct SymbolsReading {
  MoveSymbols symbols;
  size_t bytes = 0;         // length of the unit
  size_t number_bytes = 0;  // of its first character, where that may be the number of the move
};

// Reads the unit of four or five characters that starts at `offset`; nothing where none does.
std::optional<SymbolsReading> ReadSymbols(std::string_view text, size_t offset);

}  // namespace chuhe
