// The kernel of a block that sees the whole board: what the mean of its input over the points adds
// to its first convolution. A position has a group of threads; between the two steps all of the
// group must have done the first.
//
// The result is written to every point, as the convolution adds a tensor of its output's shape.
#pragma once

#include <cstddef>

#include "engine/board/types.h"
#include "nets/cuda/element.h"

namespace chuhe {

// means[channel] of one position's x [point][channel].
template <typename T>
CHUHE_HOST_DEVICE void MeansOverPoints(const T* x, int channels, int thread, int threads,
                                       float* means) {
  for (int channel = thread; channel < channels; channel += threads) {
    float sum = 0;
    for (int point = 0; point < kSquares; ++point) sum += ToFloat(x[point * channels + channel]);
    means[channel] = sum / kSquares;
  }
}

// y[point][out] = sum over in of means[in] · global[in][out].
template <typename T>
CHUHE_HOST_DEVICE void SpreadGlobalBias(const float* means, const T* global, int channels,
                                        int thread, int threads, T* y) {
  for (int out = thread; out < channels; out += threads) {
    float sum = 0;
    for (int in = 0; in < channels; ++in) {
      sum += means[in] * ToFloat(global[static_cast<size_t>(in) * channels + out]);
    }
    const T value = FromFloat<T>(sum);
    for (int point = 0; point < kSquares; ++point) y[point * channels + out] = value;
  }
}

}  // namespace chuhe
