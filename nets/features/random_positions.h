// Positions to calibrate a network on before there are games of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "nets/features/packed_position.h"

namespace chuhe {

// Positions met in games of random moves from the start, up to 120 plies deep; the same for a seed
// on every machine.
std::vector<PackedPosition> RandomPositions(int count, uint64_t seed);

}  // namespace chuhe
