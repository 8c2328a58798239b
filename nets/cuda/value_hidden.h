// The kernel of the value head's hidden layer: h = relu(W · v + b).
//
// A block of threads makes kOutputs outputs of kRows positions: kLanes threads share an output, so
// that weights are read once for all the positions, in one piece. Between the two steps all of the
// block must have done the first.
#pragma once

#include <cstddef>

#include "engine/board/types.h"
#include "nets/cuda/element.h"

namespace chuhe {

template <typename T>
struct ValueHiddenArguments {
  const T* heads;      // [row][point][head_channels], v behind the policy channels
  int head_channels;   // all numbers of channels are multiples of 8
  int first_channel;   // of v
  int value_channels;  // of v
  const T* weight;     // [hidden][point][value_channels]
  const float* bias;   // [hidden]
  int rows;
  int hidden;
  float* output;  // [row][hidden]
};

struct ValueHiddenGroup {
  static constexpr int kRows = 4;
  static constexpr int kOutputs = 8;
  static constexpr int kLanes = 32;
  static constexpr int kThreads = kOutputs * kLanes;

  float sums[kOutputs][kLanes][kRows];
};

// A thread's share of the products.
template <typename T>
CHUHE_HOST_DEVICE void SumValueProducts(const ValueHiddenArguments<T>& arguments, int first_row,
                                        int first_output, int thread, ValueHiddenGroup* group) {
  const int output = first_output + thread / ValueHiddenGroup::kLanes;
  const int lane = thread % ValueHiddenGroup::kLanes;
  if (output >= arguments.hidden) return;
  const int per_point = arguments.value_channels / Vector<T>::kSize;
  const int count = kSquares * per_point;
  const Vector<T>* const weights =
      AsVectors(arguments.weight) + static_cast<size_t>(output) * count;
  const T* const features = arguments.heads + arguments.first_channel;
  float sums[ValueHiddenGroup::kRows] = {};
  for (int i = lane; i < count; i += ValueHiddenGroup::kLanes) {
    const Vector<T> weight = weights[i];
    const int point = i / per_point;
    const int part = i % per_point;
    for (int r = 0; r < ValueHiddenGroup::kRows; ++r) {
      if (first_row + r < arguments.rows) {
        const size_t place = static_cast<size_t>(first_row + r) * kSquares + point;
        sums[r] += Dot(weight, AsVectors(features + place * arguments.head_channels)[part]);
      }
    }
  }
  for (int r = 0; r < ValueHiddenGroup::kRows; ++r) {
    group->sums[thread / ValueHiddenGroup::kLanes][lane][r] = sums[r];
  }
}

// The first kOutputs · kRows threads write an output each.
template <typename T>
CHUHE_HOST_DEVICE void WriteValueHidden(const ValueHiddenArguments<T>& arguments, int first_row,
                                        int first_output, int thread,
                                        const ValueHiddenGroup& group) {
  const int row = first_row + thread % ValueHiddenGroup::kRows;
  const int place = thread / ValueHiddenGroup::kRows;
  const int output = first_output + place;
  if (place >= ValueHiddenGroup::kOutputs || row >= arguments.rows || output >= arguments.hidden) {
    return;
  }
  float sum = arguments.bias[output];
  for (int lane = 0; lane < ValueHiddenGroup::kLanes; ++lane) {
    sum += group.sums[place][lane][row - first_row];
  }
  arguments.output[static_cast<size_t>(row) * arguments.hidden + output] = sum > 0 ? sum : 0;
}

}  // namespace chuhe
