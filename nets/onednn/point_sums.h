// Sums over the board, for layers that see all of it at once.
#pragma once

#include "nets/onednn/convolution.h"

namespace chuhe {

// sums[c] = the sum over the points of channel c. `map` is one position's [point][channel] in that
// number; channels are a multiple of 16.
void SumPoints(Number number, const void* map, int channels, float* sums);

}  // namespace chuhe
