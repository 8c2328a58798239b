// Perft: the number of legal move sequences of a given length.
#pragma once

#include <cstdint>

#include "engine/board/position.h"

namespace chuhe {

// With `bulk` the last ply is counted without writing its moves; otherwise every leaf is made and
// unmade. The position is as before afterwards. Depth 0 is 1.
uint64_t Perft(Position& position, int depth, bool bulk);

}  // namespace chuhe
