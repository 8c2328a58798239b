// The kernels of nets/cuda/kernels.cu on the CPU: the same bodies, one thread of a group after the
// other, step by step. And what cuDNN does, in loops of our own.
#pragma once

#include <cstddef>
#include <vector>

#include "nets/cuda/answers.h"
#include "nets/cuda/expand_positions.h"
#include "nets/cuda/global_bias.h"
#include "nets/cuda/value_hidden.h"

namespace chuhe {

template <typename Step>
void ForEachThread(int threads, Step step) {
  for (int thread = 0; thread < threads; ++thread) step(thread);
}

template <typename T>
void ExpandPositionsOnHost(const PackedPosition* positions, int rows, T* planes) {
  constexpr int kThreads = ExpansionGroup::kThreads;
  for (int row = 0; row < rows; ++row) {
    ExpansionGroup group;
    ForEachThread(kThreads, [&](int thread) { LoadPosition(positions + row, thread, &group); });
    ForEachThread(kThreads, [&](int thread) { FindAttacks(thread, &group); });
    ForEachThread(kThreads, [&](int thread) { FindPlaneSets(thread, &group); });
    ForEachThread(kThreads, [&](int thread) { ExpandPoints(thread, &group); });
    T* const planes_of_row = planes + static_cast<size_t>(row) * kSquares * kPlanes;
    ForEachThread(kThreads, [&](int thread) { WritePlanes(group, thread, planes_of_row); });
  }
}

template <typename T>
void SpreadGlobalOnHost(const T* x, const T* global, int rows, int channels, T* y) {
  constexpr int kThreads = 32;
  std::vector<float> means(channels);
  for (int row = 0; row < rows; ++row) {
    const size_t place = static_cast<size_t>(row) * kSquares * channels;
    ForEachThread(kThreads, [&](int thread) {
      MeansOverPoints(x + place, channels, thread, kThreads, means.data());
    });
    ForEachThread(kThreads, [&](int thread) {
      SpreadGlobalBias(means.data(), global, channels, thread, kThreads, y + place);
    });
  }
}

template <typename T>
void ValueHiddenOnHost(const ValueHiddenArguments<T>& arguments) {
  using Group = ValueHiddenGroup;
  for (int row = 0; row < arguments.rows; row += Group::kRows) {
    for (int output = 0; output < arguments.hidden; output += Group::kOutputs) {
      Group group;
      ForEachThread(Group::kThreads,
                    [&](int thread) { SumValueProducts(arguments, row, output, thread, &group); });
      ForEachThread(Group::kThreads,
                    [&](int thread) { WriteValueHidden(arguments, row, output, thread, group); });
    }
  }
}

template <typename T>
void AnswersOnHost(const AnswerArguments<T>& arguments, int rows) {
  constexpr int kThreads = AnswerGroup::kThreads;
  for (int row = 0; row < rows; ++row) {
    AnswerGroup group;
    ForEachThread(kThreads, [&](int thread) { SumAnswerProducts(arguments, row, thread, &group); });
    ForEachThread(kThreads, [&](int thread) { TakeExponentials(arguments, row, thread, &group); });
    ForEachThread(kThreads, [&](int thread) { WriteAnswers(arguments, row, thread, group); });
  }
}

// y[row][point][out] = relu(conv(x) + bias [+ y]), rounded to T; x is [row][point][in].
template <typename T>
void ConvolveOnHost(const ConvolutionPlace& place, int rows, const T* x, const T* weight,
                    const T* bias, bool add_y, T* y) {
  const int taps = place.kernel * place.kernel;
  const int reach = place.kernel / 2;
  // [tap][in][out], so that the innermost loop runs over outputs, which vectorises.
  std::vector<float> weights(size_t{1} * taps * place.in * place.out);
  for (int out = 0; out < place.out; ++out) {
    for (int i = 0; i < taps * place.in; ++i) {
      weights[static_cast<size_t>(i) * place.out + out] = ToFloat(*weight++);
    }
  }
  std::vector<float> sums(place.out);
  for (int point = 0; point < rows * kSquares; ++point) {
    T* const target = y + static_cast<size_t>(point) * place.out;
    for (int out = 0; out < place.out; ++out) {
      sums[out] = ToFloat(bias[out]) + (add_y ? ToFloat(target[out]) : 0);
    }
    const int square = point % kSquares;
    for (int tap = 0; tap < taps; ++tap) {
      const int rank = square / kFiles + tap / place.kernel - reach;
      const int file = square % kFiles + tap % place.kernel - reach;
      if (rank < 0 || rank >= kRanks || file < 0 || file >= kFiles) continue;
      const int from = point - square + rank * kFiles + file;
      for (int in = 0; in < place.in; ++in) {
        const float value = ToFloat(x[static_cast<size_t>(from) * place.in + in]);
        const float* const row = &weights[(static_cast<size_t>(tap) * place.in + in) * place.out];
        for (int out = 0; out < place.out; ++out) sums[out] += value * row[out];
      }
    }
    // Not std::max: a sum that is not a number must stay so, for the test to see it.
    for (int out = 0; out < place.out; ++out) {
      target[out] = FromFloat<T>(sums[out] < 0 ? 0 : sums[out]);
    }
  }
}

}  // namespace chuhe
