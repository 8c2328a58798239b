// The launches of nets/cuda/kernels.h, and the self-test, for fake_cuda.h.
#include "nets/cuda/kernels.h"
#include "tests/nets/cuda/fake_cuda.h"
#include "tests/nets/cuda/host_kernels.h"

namespace chuhe {

int chuhe_cuda_self_test(int, char*) { return 0; }

template <typename T>
bool LaunchExpandPositions(const PackedPosition* positions, int rows, T* planes,
                           cudaStream_t stream, char*) {
  Enqueue(stream, [=] { ExpandPositionsOnHost(positions, rows, planes); });
  return true;
}

template <typename T>
bool LaunchSpreadGlobal(const T* x, const T* global, int rows, int channels, T* y,
                        cudaStream_t stream, char*) {
  Enqueue(stream, [=] { SpreadGlobalOnHost(x, global, rows, channels, y); });
  return true;
}

template <typename T>
bool LaunchValueHidden(const ValueHiddenArguments<T>& arguments, cudaStream_t stream, char*) {
  Enqueue(stream, [=] { ValueHiddenOnHost(arguments); });
  return true;
}

template <typename T>
bool LaunchAnswers(const AnswerArguments<T>& arguments, int rows, cudaStream_t stream, char*) {
  Enqueue(stream, [=] { AnswersOnHost(arguments, rows); });
  return true;
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
