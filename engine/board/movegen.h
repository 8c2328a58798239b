// Legal moves, generated as legal: checks, pins, screens of cannons, legs of knights and facing
// kings are understood beforehand, no move is tried out.
#pragma once

#include <cstdint>
#include <span>

#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

// No position has more moves: two rooks and two cannons 17 each, two knights 8, two bishops 4, the
// advisors 4 and 1, the king 4 and five pawns 3 make 116.
constexpr int kMaxMoves = 116;

// A list of moves in a fixed array. The room behind kMaxMoves is scratch for block writes.
struct MoveList {
  int size = 0;
  Move moves[kMaxMoves + 16];

  const Move* begin() const { return moves; }
  const Move* end() const { return moves + size; }
  Move operator[](int index) const { return moves[index]; }
};

// Fills `list` with all legal moves of the side to move. The order depends on the board alone,
// not on the way by which it was reached: by kind of man, then by from square (pawns: steps
// forward, then sideways), then by target in a fixed order.
void GenerateLegal(const Position& position, MoveList* list);

// As many as GenerateLegal() would list, counted without writing them.
int CountLegal(const Position& position);

bool HasLegalMove(const Position& position);

// Whether the move, any pair of squares, is legal here.
bool IsLegal(const Position& position, Move move);

}  // namespace chuhe
