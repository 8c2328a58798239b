#include "nets/cuda/check.h"
#include "nets/cuda/expand_positions.h"
#include "nets/cuda/global_bias.h"
#include "nets/cuda/kernels.h"

namespace chuhe {
namespace {

// What a block of threads shares, as raw memory: types with constructors cannot be shared
// variables.
template <typename Group>
__device__ Group* SharedGroup() {
  __shared__ alignas(16) unsigned char memory[sizeof(Group)];
  return reinterpret_cast<Group*>(memory);
}

// One block a position.
template <typename T>
__global__ void __launch_bounds__(ExpansionGroup::kThreads)
    ExpandPositions(const PackedPosition* positions, T* planes) {
  ExpansionGroup* const group = SharedGroup<ExpansionGroup>();
  const int thread = static_cast<int>(threadIdx.x);
  const size_t row = blockIdx.x;
  LoadPosition(positions + row, thread, group);
  __syncthreads();
  FindAttacks(thread, group);
  __syncthreads();
  FindPlaneSets(thread, group);
  __syncthreads();
  ExpandPoints(thread, group);
  __syncthreads();
  WritePlanes(*group, thread, planes + row * kSquares * kPlanes);
}

// One block a position.
template <typename T>
__global__ void SpreadGlobal(const T* x, const T* global, int channels, T* y) {
  extern __shared__ float means[];  // [channels]
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const size_t row = static_cast<size_t>(blockIdx.x) * kSquares * channels;
  MeansOverPoints(x + row, channels, thread, threads, means);
  __syncthreads();
  SpreadGlobalBias(means, global, channels, thread, threads, y + row);
}

// Blocks by outputs (x) and positions (y).
template <typename T>
__global__ void __launch_bounds__(ValueHiddenGroup::kThreads)
    ValueHidden(ValueHiddenArguments<T> arguments) {
  ValueHiddenGroup* const group = SharedGroup<ValueHiddenGroup>();
  const int thread = static_cast<int>(threadIdx.x);
  const int first_output = static_cast<int>(blockIdx.x) * ValueHiddenGroup::kOutputs;
  const int first_row = static_cast<int>(blockIdx.y) * ValueHiddenGroup::kRows;
  SumValueProducts(arguments, first_row, first_output, thread, group);
  __syncthreads();
  WriteValueHidden(arguments, first_row, first_output, thread, *group);
}

// One block a position.
template <typename T>
__global__ void __launch_bounds__(AnswerGroup::kThreads) Answers(AnswerArguments<T> arguments) {
  AnswerGroup* const group = SharedGroup<AnswerGroup>();
  const int thread = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x);
  SumAnswerProducts(arguments, row, thread, group);
  __syncthreads();
  TakeExponentials(arguments, row, thread, group);
  __syncthreads();
  WriteAnswers(arguments, row, thread, *group);
}

int BlocksFor(int count, int per_block) { return (count + per_block - 1) / per_block; }

}  // namespace

template <typename T>
bool LaunchExpandPositions(const PackedPosition* positions, int rows, T* planes,
                           cudaStream_t stream, char* error) {
  ExpandPositions<<<rows, ExpansionGroup::kThreads, 0, stream>>>(positions, planes);
  return CudaSucceeded(cudaGetLastError(), "launch of ExpandPositions", error);
}

template <typename T>
bool LaunchSpreadGlobal(const T* x, const T* global, int rows, int channels, T* y,
                        cudaStream_t stream, char* error) {
  constexpr int kMaxThreads = 256;
  const int threads = channels < kMaxThreads ? channels : kMaxThreads;
  SpreadGlobal<<<rows, threads, channels * sizeof(float), stream>>>(x, global, channels, y);
  return CudaSucceeded(cudaGetLastError(), "launch of SpreadGlobal", error);
}

template <typename T>
bool LaunchValueHidden(const ValueHiddenArguments<T>& arguments, cudaStream_t stream, char* error) {
  const dim3 blocks(BlocksFor(arguments.hidden, ValueHiddenGroup::kOutputs),
                    BlocksFor(arguments.rows, ValueHiddenGroup::kRows));
  ValueHidden<<<blocks, ValueHiddenGroup::kThreads, 0, stream>>>(arguments);
  return CudaSucceeded(cudaGetLastError(), "launch of ValueHidden", error);
}

template <typename T>
bool LaunchAnswers(const AnswerArguments<T>& arguments, int rows, cudaStream_t stream,
                   char* error) {
  Answers<<<rows, AnswerGroup::kThreads, 0, stream>>>(arguments);
  return CudaSucceeded(cudaGetLastError(), "launch of Answers", error);
}

#define CHUHE_INSTANTIATE_(T)                                                                  \
  template bool LaunchExpandPositions<T>(const PackedPosition*, int, T*, cudaStream_t, char*); \
  template bool LaunchSpreadGlobal<T>(const T*, const T*, int, int, T*, cudaStream_t, char*);  \
  template bool LaunchValueHidden<T>(const ValueHiddenArguments<T>&, cudaStream_t, char*);     \
  template bool LaunchAnswers<T>(const AnswerArguments<T>&, int, cudaStream_t, char*);
CHUHE_INSTANTIATE_(Half)
CHUHE_INSTANTIATE_(float)
#undef CHUHE_INSTANTIATE_

}  // namespace chuhe
