#include "tests/nets/cuda/fake_cuda.h"

#include <cudnn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "tests/nets/cuda/host_kernels.h"

using Work = std::function<void()>;

// The types that CUDA's and cuDNN's headers only name.
struct CUstream_st {
  std::vector<Work> queue;
  bool capturing = false;
};
struct CUevent_st {
  cudaStream_t stream = nullptr;
};
struct CUgraph_st {
  std::vector<Work> work;
};
struct CUgraphExec_st {
  std::vector<Work> work;
};
struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  cudnnTensorFormat_t format;
  cudnnDataType_t type;
  int rows, channels, ranks, files;
};
struct cudnnFilterStruct {
  cudnnTensorFormat_t format;
  cudnnDataType_t type;
  int out, in, ranks, files;
};
struct cudnnConvolutionStruct {
  int padding;
  bool plain;  // cross-correlation without strides, in fp32
  cudnnMathType_t math;
};
struct cudnnActivationStruct {
  cudnnActivationMode_t mode;
};

namespace {

std::atomic<int> live_objects = 0;
std::atomic<int> calls = 0;
std::atomic<int> failing_call = 0;
thread_local int captures = 0;  // that this thread has begun

bool FailsNow() { return ++calls == failing_call; }

// As CUDA aligns it; filled with what is no number.
void* Allocate(size_t bytes) {
  ++live_objects;
  void* const memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(memory, 0xff, bytes);
  return memory;
}

template <typename T>
auto Create(T** object) {
  ++live_objects;
  *object = new T{};
}

template <typename T>
void Destroy(T* object) {
  --live_objects;
  delete object;
}

void RunAll(cudaStream_t stream) {
  for (const Work& work : std::exchange(stream->queue, {})) work();
}

}  // namespace

namespace chuhe {

void Enqueue(cudaStream_t stream, Work work) { stream->queue.push_back(std::move(work)); }

}  // namespace chuhe

extern "C" {

int fake_cuda_live_objects() { return live_objects; }

int fake_cuda_fail_call(int number) {
  failing_call = number;
  return calls.exchange(0);
}

#define FAKE_CUDA_MAY_FAIL \
  if (FailsNow()) return cudaErrorUnknown
#define FAKE_CUDNN_MAY_FAIL \
  if (FailsNow()) return CUDNN_STATUS_EXECUTION_FAILED
#define FAKE_CUDA_NOT_IN_CAPTURE \
  FAKE_CUDA_MAY_FAIL;            \
  if (captures > 0) return cudaErrorStreamCaptureUnsupported

const char* cudaGetErrorString(cudaError_t) { return "fake failure"; }
const char* cudnnGetErrorString(cudnnStatus_t) { return "fake failure"; }

cudaError_t cudaGetDeviceCount(int* count) {
  FAKE_CUDA_MAY_FAIL;
  *count = 2;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  FAKE_CUDA_MAY_FAIL;
  *properties = {};
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  FAKE_CUDA_MAY_FAIL;
  return device < 2 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  FAKE_CUDA_NOT_IN_CAPTURE;
  *memory = Allocate(bytes);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  FAKE_CUDA_NOT_IN_CAPTURE;
  *memory = Allocate(bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  --live_objects;
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) { return cudaFree(memory); }
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  FAKE_CUDA_MAY_FAIL;
  chuhe::Enqueue(stream, [=] { std::memset(memory, value, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  FAKE_CUDA_MAY_FAIL;
  chuhe::Enqueue(stream, [=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  FAKE_CUDA_NOT_IN_CAPTURE;
  Create(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Destroy(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  FAKE_CUDA_NOT_IN_CAPTURE;
  RunAll(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  FAKE_CUDA_MAY_FAIL;
  if (stream->capturing || !stream->queue.empty()) return cudaErrorIllegalState;
  stream->capturing = true;
  ++captures;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  stream->capturing = false;
  --captures;
  std::vector<Work> work = std::exchange(stream->queue, {});
  FAKE_CUDA_MAY_FAIL;
  Create(graph);
  (*graph)->work = std::move(work);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  FAKE_CUDA_MAY_FAIL;
  Create(exec);
  (*exec)->work = graph->work;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  FAKE_CUDA_MAY_FAIL;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  FAKE_CUDA_MAY_FAIL;
  for (const Work& work : exec->work) chuhe::Enqueue(stream, work);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  Destroy(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  Destroy(exec);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  FAKE_CUDA_NOT_IN_CAPTURE;
  Create(event);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Destroy(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  FAKE_CUDA_MAY_FAIL;
  event->stream = stream;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  FAKE_CUDA_NOT_IN_CAPTURE;
  RunAll(event->stream);
  return cudaSuccess;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  FAKE_CUDNN_MAY_FAIL;
  Create(handle);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  Destroy(handle);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  FAKE_CUDNN_MAY_FAIL;
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensor) {
  FAKE_CUDNN_MAY_FAIL;
  Create(tensor);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  Destroy(tensor);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  FAKE_CUDNN_MAY_FAIL;
  *tensor = {format, type, n, c, h, w};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filter) {
  FAKE_CUDNN_MAY_FAIL;
  Create(filter);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  Destroy(filter);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  FAKE_CUDNN_MAY_FAIL;
  *filter = {format, type, k, c, h, w};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convolution) {
  FAKE_CUDNN_MAY_FAIL;
  Create(convolution);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
  Destroy(convolution);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution, int pad_h,
                                              int pad_w, int stride_h, int stride_w, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
  FAKE_CUDNN_MAY_FAIL;
  convolution->padding = pad_h;
  convolution->plain = pad_h == pad_w && stride_h == 1 && stride_w == 1 && dilation_h == 1 &&
                       dilation_w == 1 && mode == CUDNN_CROSS_CORRELATION &&
                       compute == CUDNN_DATA_FLOAT;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t math) {
  FAKE_CUDNN_MAY_FAIL;
  convolution->math = math;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* activation) {
  FAKE_CUDNN_MAY_FAIL;
  Create(activation);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t activation) {
  Destroy(activation);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activation,
                                           cudnnActivationMode_t mode, cudnnNanPropagation_t,
                                           double) {
  FAKE_CUDNN_MAY_FAIL;
  activation->mode = mode;
  return CUDNN_STATUS_SUCCESS;
}

static bool Fit(const cudnnTensorStruct& x, const cudnnFilterStruct& w,
                const cudnnConvolutionStruct& convolution, const cudnnTensorStruct& y) {
  const bool half = x.type == CUDNN_DATA_HALF;
  return x.format == CUDNN_TENSOR_NHWC && w.format == CUDNN_TENSOR_NHWC &&
         y.format == CUDNN_TENSOR_NHWC && x.type == w.type && x.type == y.type &&
         x.channels == w.in && y.channels == w.out && x.rows == y.rows && x.ranks == 10 &&
         y.ranks == 10 && x.files == 9 && y.files == 9 && w.ranks == w.files && convolution.plain &&
         convolution.padding == w.ranks / 2 &&
         convolution.math == (half ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH);
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t x,
                                                      cudnnFilterDescriptor_t w,
                                                      cudnnConvolutionDescriptor_t convolution,
                                                      cudnnTensorDescriptor_t y,
                                                      cudnnConvolutionFwdAlgo_t, size_t* bytes) {
  FAKE_CUDNN_MAY_FAIL;
  if (!Fit(*x, *w, *convolution, *y)) return CUDNN_STATUS_BAD_PARAM;
  *bytes = size_t{8} * x->rows * w->in;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void* alpha1, cudnnTensorDescriptor_t x_tensor, const void* x,
    cudnnFilterDescriptor_t w_filter, const void* w, cudnnConvolutionDescriptor_t convolution,
    cudnnConvolutionFwdAlgo_t, void* workspace, size_t workspace_bytes, const void* alpha2,
    cudnnTensorDescriptor_t z_tensor, const void* z, cudnnTensorDescriptor_t bias_tensor,
    const void* bias, cudnnActivationDescriptor_t activation, cudnnTensorDescriptor_t y_tensor,
    void* y) {
  FAKE_CUDNN_MAY_FAIL;
  const size_t needed = size_t{8} * x_tensor->rows * w_filter->in;
  const float scale = *static_cast<const float*>(alpha2);
  if (!Fit(*x_tensor, *w_filter, *convolution, *y_tensor) || z_tensor != y_tensor || z != y ||
      x == y || bias_tensor->channels != y_tensor->channels || bias_tensor->rows != 1 ||
      bias_tensor->type != y_tensor->type || activation->mode != CUDNN_ACTIVATION_RELU ||
      workspace_bytes < needed || *static_cast<const float*>(alpha1) != 1 ||
      (scale != 0 && scale != 1)) {
    return CUDNN_STATUS_BAD_PARAM;
  }
  const chuhe::ConvolutionPlace place = {
      .in = w_filter->in, .out = w_filter->out, .kernel = w_filter->ranks};
  chuhe::Enqueue(
      handle->stream, [=, rows = x_tensor->rows, half = x_tensor->type == CUDNN_DATA_HALF] {
        std::memset(workspace, 0, needed);
        const auto run = [=]<typename T>(T* values) {
          chuhe::ConvolveOnHost(place, rows, static_cast<const T*>(x), static_cast<const T*>(w),
                                static_cast<const T*>(bias), scale == 1, values);
        };
        half ? run(static_cast<chuhe::Half*>(y)) : run(static_cast<float*>(y));
      });
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"
