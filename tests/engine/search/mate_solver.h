// Mates by trying everything: slow, and what searches are compared with. Knows no rules of
// repetition.
#pragma once

#include "engine/board/position.h"

namespace chuhe {

// The number of moves, at most `most`, in which the side to move forces a position where the other
// side has no legal move; 0 if it cannot.
int MovesToMate(const Position& position, int most);

}  // namespace chuhe
