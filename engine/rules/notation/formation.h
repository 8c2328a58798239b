// Where the men of one kind stand relative to each other, and how a move looks from its own side.
#pragma once

#include <cstdint>

#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/rules/notation/symbols.h"

namespace chuhe {

// One man among those of its kind and side. A *tandem* is two or more of them on a file.
struct Standing {
  Unit unit = kNoUnit;
  uint8_t file = 0;          // 1–9 from the own right
  uint8_t rank = 0;          // 0–9 from the own side
  uint8_t on_file = 0;       // how many of the kind are on its file
  uint8_t from_front = 0;    // 1 for the foremost of them
  uint8_t tandem_order = 0;  // 1… over all tandems from the own right, front to back; 0: in none
};

struct Formation {
  int size = 0;
  int tandem_files = 0;
  Standing men[5];

  const Standing* begin() const { return men; }
  const Standing* end() const { return men + size; }
  // `unit` must be one of them.
  const Standing& ManOf(Unit unit) const;
};

// The men of the kind that the side to move has on the board.
Formation FormationOf(const Position& position, PieceType type);

// The direction and number of a move of the side to move.
Motion MotionOf(const Position& position, Move move);

// The point that a man of the side to move comes to; kNoSquare when the board or the kind of man
// has no such point. Whether the way there is free is not looked at.
Square TargetOf(const Position& position, const Standing& man, const Motion& motion);

}  // namespace chuhe
