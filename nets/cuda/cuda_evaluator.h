// Evaluates on a GPU through libchuhe_cuda.so (loader.h). No CUDA header is needed here.
//
// Positions go up packed, and only the priors of legal moves and the outcomes come back. Two
// batches may be under way at once, each in a slot of the library: while one is computed, the next
// is packed and copied. docs/architecture.md has the way of a batch.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/eval/evaluator.h"
#include "nets/cuda/api.h"
#include "nets/cuda/loader.h"
#include "nets/cuda/prepared_network.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

struct CudaEvaluatorOptions {
  CudaPrecision precision = CudaPrecision::kFloat16;
  // Positions that the device takes at once; larger batches are cut. 1 to kCudaMaxBatch.
  int max_batch = 256;
};
constexpr int kCudaMaxBatch = 4096;

// Used by one thread at a time, which may change.
//
// The answer to a request may change in its last bits with the size of its batch, as cuDNN has
// other kernels for other sizes; the same batches in the same order give the same bits.
//
// There is nobody to hand an error of the device to while a batch is under way: it is written to
// standard error and the program aborts.
class CudaEvaluator : public Evaluator {
 public:
  // Puts the network on a device. Blocks, for seconds where the library's kernels are loaded.
  // Internal, with the library's reason, where the device refuses.
  static absl::StatusOr<std::unique_ptr<CudaEvaluator>> Create(const CudaLibrary& library,
                                                               const PreparedNetwork& network,
                                                               int device, int max_batch);
  // What was submitted is waited for and left unanswered.
  ~CudaEvaluator() override;

  CudaEvaluator(const CudaEvaluator&) = delete;
  CudaEvaluator& operator=(const CudaEvaluator&) = delete;

  void Evaluate(std::span<EvaluationRequest> requests) override;
  void Submit(std::span<EvaluationRequest> requests) override;
  void Wait() override;
  int max_in_flight() const override { return kCudaSlots; }

  int device() const { return device_; }

 private:
  // A part of a submitted batch that is in a slot.
  struct Chunk {
    std::span<EvaluationRequest> requests;
    int slot;
  };

  CudaEvaluator(const CudaApiFunctions& functions, CudaApiEvaluator* evaluator, int device,
                int max_batch);

  // Packs the requests into the next slot, which must be free, and starts the device.
  void Start(std::span<EvaluationRequest> requests);
  // Waits for the oldest chunk and hands out its answers.
  void FinishOldest();

  const CudaApiFunctions functions_;
  CudaApiEvaluator* const evaluator_;
  const int device_;
  const std::vector<int> buckets_;
  std::deque<Chunk> chunks_;    // under way, oldest first
  std::deque<int> unfinished_;  // by batch not yet waited for, oldest first: its chunks under way
  int next_slot_ = 0;
};

// `cuda` (the first device), `cuda:1` or `cuda:0,1`: the devices' numbers, each once.
absl::StatusOr<std::vector<int>> ParseCudaDevices(absl::string_view text);

// One evaluator for each of the devices, in their order. NotFound where the library or one of
// CUDA's is missing, Unavailable where there is no device, InvalidArgument where one of that number
// is not there or the network does not fit the precision.
absl::StatusOr<std::vector<std::unique_ptr<Evaluator>>> OpenCudaEvaluators(
    const std::vector<int>& devices, const NetworkWeights& weights,
    const CudaEvaluatorOptions& options = {}, const std::string& library = "libchuhe_cuda.so");

}  // namespace chuhe
