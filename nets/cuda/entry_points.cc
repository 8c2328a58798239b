// The functions of api.h that evaluate. Nothing throws across them.
#include <cstdio>
#include <exception>
#include <memory>

#include "nets/cuda/api.h"
#include "nets/cuda/device_evaluator.h"

namespace chuhe {

struct CudaApiEvaluator {
  std::unique_ptr<DeviceEvaluator> evaluator;
};

int chuhe_cuda_create(const CudaApiShape* shape, const void* data, uint64_t bytes, int device,
                      int max_batch, CudaApiEvaluator** evaluator, char* error) {
  try {
    auto created = DeviceEvaluator::Create(*shape, data, bytes, device, max_batch, error);
    if (created == nullptr) return -1;
    *evaluator = new CudaApiEvaluator{std::move(created)};
    return 0;
  } catch (const std::exception& exception) {
    std::snprintf(error, kCudaTextSize, "%s", exception.what());
    return -1;
  }
}

void chuhe_cuda_destroy(CudaApiEvaluator* evaluator) { delete evaluator; }

void* chuhe_cuda_input(CudaApiEvaluator* evaluator, int slot) {
  return evaluator->evaluator->input(slot);
}

const void* chuhe_cuda_output(CudaApiEvaluator* evaluator, int slot) {
  return evaluator->evaluator->output(slot);
}

int chuhe_cuda_submit(CudaApiEvaluator* evaluator, int slot, int rows, int moves, char* error) {
  return evaluator->evaluator->Submit(slot, rows, moves, error) ? 0 : -1;
}

int chuhe_cuda_wait(CudaApiEvaluator* evaluator, int slot, char* error) {
  return evaluator->evaluator->Wait(slot, error) ? 0 : -1;
}

}  // namespace chuhe
