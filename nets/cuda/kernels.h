// Launches of our own kernels. Each enqueues its work on `stream`; pointers are the device's.
//
// Their bodies are host-device functions in global_bias.h, value_hidden.h, answers.h and
// nets/features/expand.h.
#pragma once

#include <cuda_runtime.h>

#include "nets/cuda/answers.h"
#include "nets/cuda/element.h"
#include "nets/cuda/value_hidden.h"
#include "nets/features/packed_position.h"

namespace chuhe {

// planes[row][point][plane] = level / kInputDivisor.
template <typename T>
bool LaunchExpandPositions(const PackedPosition* positions, int rows, T* planes,
                           cudaStream_t stream, char* error);

// y[row][point][channel]: what a global block adds, from x of the same shape.
template <typename T>
bool LaunchSpreadGlobal(const T* x, const T* global, int rows, int channels, T* y,
                        cudaStream_t stream, char* error);

template <typename T>
bool LaunchValueHidden(const ValueHiddenArguments<T>& arguments, cudaStream_t stream, char* error);

template <typename T>
bool LaunchAnswers(const AnswerArguments<T>& arguments, int rows, cudaStream_t stream, char* error);

}  // namespace chuhe
