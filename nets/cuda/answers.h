// The kernel that makes the answers: logits of the legal moves alone and the softmax over them;
// win, draw, loss and plies left.
//
// A position has a group of kThreads threads, which take the three steps together: all of the group
// must have done one before any does the next. In the first, each thread has one move's logit, and
// a part of one outcome's products.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "engine/board/movegen.h"
#include "nets/cuda/element.h"
#include "nets/cuda/network_layout.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

template <typename T>
struct AnswerArguments {
  const T* heads;     // [row][point][head_channels], p first
  int head_channels;  // all numbers of channels are multiples of 8
  int policy_channels;
  const T* policy_from;  // [shape][policy_channels]
  const T* policy_to;
  const float* policy_bias;       // [shape]
  const PolicyTableEntry* table;  // [policy index]
  const uint32_t* offsets;        // [row + 1]
  const uint16_t* moves;          // policy indices
  const float* hidden;            // [row][hidden_size]
  int hidden_size;
  const float* outcome_weight;  // [outcome][hidden_size]
  const float* outcome_bias;    // [outcome]
  float* outcomes;              // [row][outcome]
  float* priors;                // as `moves`
};

struct AnswerGroup {
  static constexpr int kThreads = 128;
  static constexpr int kLanes = kThreads / kOutcomes;
  static_assert(kThreads >= kMaxMoves);

  float logits[kThreads];
  float exponentials[kThreads];
  float outcome_parts[kOutcomes][kLanes];
  float outcomes[kOutcomes];
};

template <typename T>
CHUHE_HOST_DEVICE float MoveLogit(const AnswerArguments<T>& arguments, const T* row, int move) {
  const PolicyTableEntry entry = arguments.table[move];
  const int channels = arguments.policy_channels;
  const Vector<T>* const from = AsVectors(row + entry.from * arguments.head_channels);
  const Vector<T>* const to = AsVectors(row + entry.to * arguments.head_channels);
  const Vector<T>* const from_weights = AsVectors(arguments.policy_from + entry.shape * channels);
  const Vector<T>* const to_weights = AsVectors(arguments.policy_to + entry.shape * channels);
  float sum = arguments.policy_bias[entry.shape];
  for (int i = 0; i < channels / Vector<T>::kSize; ++i) {
    sum += Dot(from[i], from_weights[i]) + Dot(to[i], to_weights[i]);
  }
  return sum;
}

template <typename T>
CHUHE_HOST_DEVICE void SumAnswerProducts(const AnswerArguments<T>& arguments, int row, int thread,
                                         AnswerGroup* group) {
  const uint32_t first = arguments.offsets[row];
  const int moves = static_cast<int>(arguments.offsets[row + 1] - first);
  if (thread < moves) {
    const T* const heads =
        arguments.heads + static_cast<size_t>(row) * kSquares * arguments.head_channels;
    group->logits[thread] = MoveLogit(arguments, heads, arguments.moves[first + thread]);
  }
  const int outcome = thread / AnswerGroup::kLanes;
  const int lane = thread % AnswerGroup::kLanes;
  const float* const hidden = arguments.hidden + static_cast<size_t>(row) * arguments.hidden_size;
  const float* const weights = arguments.outcome_weight + outcome * arguments.hidden_size;
  float sum = 0;
  for (int i = lane; i < arguments.hidden_size; i += AnswerGroup::kLanes) {
    sum += weights[i] * hidden[i];
  }
  group->outcome_parts[outcome][lane] = sum;
}

template <typename T>
CHUHE_HOST_DEVICE void TakeExponentials(const AnswerArguments<T>& arguments, int row, int thread,
                                        AnswerGroup* group) {
  const int moves = static_cast<int>(arguments.offsets[row + 1] - arguments.offsets[row]);
  if (thread < moves) {
    float largest = group->logits[0];
    for (int i = 1; i < moves; ++i) largest = fmaxf(largest, group->logits[i]);
    group->exponentials[thread] = expf(group->logits[thread] - largest);
  }
  if (thread < kOutcomes) {
    float sum = arguments.outcome_bias[thread];
    for (int lane = 0; lane < AnswerGroup::kLanes; ++lane) {
      sum += group->outcome_parts[thread][lane];
    }
    group->outcomes[thread] = sum;
  }
}

// outcomes = softmax of three logits, and the plies left that the fourth stands for.
CHUHE_HOST_DEVICE inline void WriteOutcomes(const float* logits, float* outcomes) {
  const float largest = fmaxf(logits[0], fmaxf(logits[1], logits[2]));
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    outcomes[i] = expf(logits[i] - largest);
    sum += outcomes[i];
  }
  for (int i = 0; i < 3; ++i) outcomes[i] /= sum;
  const float softplus = fmaxf(logits[3], 0.0f) + log1pf(expf(-fabsf(logits[3])));
  outcomes[3] = kPliesLeftUnit * softplus;
}

template <typename T>
CHUHE_HOST_DEVICE void WriteAnswers(const AnswerArguments<T>& arguments, int row, int thread,
                                    const AnswerGroup& group) {
  const uint32_t first = arguments.offsets[row];
  const int moves = static_cast<int>(arguments.offsets[row + 1] - first);
  if (thread < moves) {
    float sum = 0;
    for (int i = 0; i < moves; ++i) sum += group.exponentials[i];
    arguments.priors[first + thread] = group.exponentials[thread] / sum;
  }
  if (thread == 0) {
    WriteOutcomes(group.outcomes, arguments.outcomes + static_cast<size_t>(row) * kOutcomes);
  }
}

}  // namespace chuhe
