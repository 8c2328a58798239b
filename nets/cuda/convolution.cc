#include "nets/cuda/convolution.h"

#include <algorithm>
#include <memory>

#include "engine/board/types.h"
#include "nets/cuda/check.h"
#include "nets/cuda/device_resources.h"

namespace chuhe {
namespace {

struct DestroyDescriptor {
  void operator()(cudnnTensorDescriptor_t descriptor) const {
    ReportFailure(cudnnDestroyTensorDescriptor(descriptor), "cudnnDestroyTensorDescriptor");
  }
  void operator()(cudnnFilterDescriptor_t descriptor) const {
    ReportFailure(cudnnDestroyFilterDescriptor(descriptor), "cudnnDestroyFilterDescriptor");
  }
  void operator()(cudnnConvolutionDescriptor_t descriptor) const {
    ReportFailure(cudnnDestroyConvolutionDescriptor(descriptor),
                  "cudnnDestroyConvolutionDescriptor");
  }
  void operator()(cudnnActivationDescriptor_t descriptor) const {
    ReportFailure(cudnnDestroyActivationDescriptor(descriptor), "cudnnDestroyActivationDescriptor");
  }
};
template <typename Struct>
using Descriptor = std::unique_ptr<Struct, DestroyDescriptor>;

// What cuDNN wants to be told of one convolution. Made for each call: the calls are made once, when
// a graph is captured.
struct Descriptors {
  bool Describe(const ConvolutionPlace& place, int rows, bool half, char* error);

  Descriptor<cudnnTensorStruct> x;
  Descriptor<cudnnTensorStruct> y;
  Descriptor<cudnnTensorStruct> bias;
  Descriptor<cudnnFilterStruct> weight;
  Descriptor<cudnnConvolutionStruct> convolution;
  Descriptor<cudnnActivationStruct> relu;
};

bool DescribeTensor(cudnnDataType_t type, int rows, int channels, int ranks, int files,
                    Descriptor<cudnnTensorStruct>* result, char* error) {
  cudnnTensorDescriptor_t tensor = nullptr;
  CHUHE_CUDA_CALL(cudnnCreateTensorDescriptor, &tensor);
  result->reset(tensor);
  CHUHE_CUDA_CALL(cudnnSetTensor4dDescriptor, tensor, CUDNN_TENSOR_NHWC, type, rows, channels,
                  ranks, files);
  return true;
}

bool Descriptors::Describe(const ConvolutionPlace& place, int rows, bool half, char* error) {
  const cudnnDataType_t type = half ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
  if (!DescribeTensor(type, rows, place.in, kRanks, kFiles, &x, error) ||
      !DescribeTensor(type, rows, place.out, kRanks, kFiles, &y, error) ||
      !DescribeTensor(type, 1, place.out, 1, 1, &bias, error)) {
    return false;
  }
  cudnnFilterDescriptor_t filter = nullptr;
  CHUHE_CUDA_CALL(cudnnCreateFilterDescriptor, &filter);
  weight.reset(filter);
  CHUHE_CUDA_CALL(cudnnSetFilter4dDescriptor, filter, type, CUDNN_TENSOR_NHWC, place.out, place.in,
                  place.kernel, place.kernel);

  cudnnConvolutionDescriptor_t conv = nullptr;
  CHUHE_CUDA_CALL(cudnnCreateConvolutionDescriptor, &conv);
  convolution.reset(conv);
  const int padding = place.kernel / 2;
  CHUHE_CUDA_CALL(cudnnSetConvolution2dDescriptor, conv, padding, padding, 1, 1, 1, 1,
                  CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  CHUHE_CUDA_CALL(cudnnSetConvolutionMathType, conv, half ? CUDNN_TENSOR_OP_MATH : CUDNN_FMA_MATH);

  cudnnActivationDescriptor_t activation = nullptr;
  CHUHE_CUDA_CALL(cudnnCreateActivationDescriptor, &activation);
  relu.reset(activation);
  CHUHE_CUDA_CALL(cudnnSetActivationDescriptor, activation, CUDNN_ACTIVATION_RELU,
                  CUDNN_NOT_PROPAGATE_NAN, 0.0);
  return true;
}

// The first of the two forms of the implicit GEMM that cuDNN has for the convolution, and the
// workspace that it needs.
bool ChooseAlgorithm(cudnnHandle_t handle, const Descriptors& descriptors,
                     cudnnConvolutionFwdAlgo_t* algorithm, size_t* bytes, char* error) {
  for (const cudnnConvolutionFwdAlgo_t candidate :
       {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
        CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM}) {
    const cudnnStatus_t status = cudnnGetConvolutionForwardWorkspaceSize(
        handle, descriptors.x.get(), descriptors.weight.get(), descriptors.convolution.get(),
        descriptors.y.get(), candidate, bytes);
    if (CudaSucceeded(status, "cudnnGetConvolutionForwardWorkspaceSize", error)) {
      *algorithm = candidate;
      return true;
    }
  }
  return false;
}

}  // namespace

void DestroyCudnn::operator()(cudnnHandle_t handle) const {
  ReportFailure(cudnnDestroy(handle), "cudnnDestroy");
}

bool Convolutions::Create(bool half_precision, char* error) {
  half_precision_ = half_precision;
  cudnnHandle_t handle = nullptr;
  CHUHE_CUDA_CALL(cudnnCreate, &handle);
  handle_.reset(handle);
  return true;
}

bool Convolutions::RaiseWorkspace(const ConvolutionPlace& place, int rows, size_t* bytes,
                                  char* error) const {
  Descriptors descriptors;
  if (!descriptors.Describe(place, rows, half_precision_, error)) return false;
  cudnnConvolutionFwdAlgo_t algorithm;
  size_t needed = 0;
  if (!ChooseAlgorithm(handle_.get(), descriptors, &algorithm, &needed, error)) return false;
  *bytes = std::max(*bytes, needed);
  return true;
}

bool Convolutions::Run(const ConvolutionPlace& place, int rows, const Operands& operands,
                       cudaStream_t stream, char* error) const {
  Descriptors descriptors;
  if (!descriptors.Describe(place, rows, half_precision_, error)) return false;
  CHUHE_CUDA_CALL(cudnnSetStream, handle_.get(), stream);
  cudnnConvolutionFwdAlgo_t algorithm;
  size_t needed = 0;
  if (!ChooseAlgorithm(handle_.get(), descriptors, &algorithm, &needed, error)) return false;
  const float one = 1;
  const float added = operands.add_y ? 1 : 0;
  CHUHE_CUDA_CALL(cudnnConvolutionBiasActivationForward, handle_.get(), &one, descriptors.x.get(),
                  operands.x, descriptors.weight.get(), operands.weight,
                  descriptors.convolution.get(), algorithm, operands.workspace,
                  operands.workspace_bytes, &added, descriptors.y.get(), operands.y,
                  descriptors.bias.get(), operands.bias, descriptors.relu.get(),
                  descriptors.y.get(), operands.y);
  return true;
}

}  // namespace chuhe
