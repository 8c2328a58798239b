// A library with the interface of libchuhe_cuda.so that computes on the CPU: the kernels' own
// bodies, and plain loops where cuDNN would be. So all but CUDA itself is tested without a GPU.
//
// It has three devices: one that works, one that fails to start and one that fails to finish.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "nets/cuda/api.h"
#include "nets/cuda/batch_buckets.h"
#include "nets/cuda/batch_layout.h"
#include "nets/cuda/forward.h"
#include "tests/nets/cuda/host_kernels.h"

namespace chuhe {
namespace {

constexpr int kDeviceThatDoesNotStart = 1;
constexpr int kDeviceThatDoesNotFinish = 2;
constexpr int kDevices = 3;

// Memory aligned as CUDA's is enough for loads of 16 bytes. Whatever is read before it is written
// is not a number.
struct alignas(16) Piece {
  float numbers[4];
};
class Memory {
 public:
  explicit Memory(size_t bytes) : pieces_(bytes / sizeof(Piece) + 1) {
    std::memset(static_cast<void*>(pieces_.data()), 0xff, pieces_.size() * sizeof(Piece));
  }
  template <typename T>
  T* at(size_t offset = 0) {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(pieces_.data()) + offset);
  }

 private:
  std::vector<Piece> pieces_;
};

struct Slot {
  explicit Slot(int max_batch)
      : input(BatchLayout(max_batch).input_bytes(BatchLayout(max_batch).max_moves())),
        output(BatchLayout(max_batch).output_bytes(BatchLayout(max_batch).max_moves())) {}

  Memory input;
  Memory output;
  int rows = 0;  // of the batch under way; 0 if there is none
};

// The steps of forward.h.
template <typename T>
class HostSteps {
 public:
  HostSteps(const NetworkLayout& layout, Memory* network, Slot* slot)
      : layout_(layout),
        network_(network),
        slot_(slot),
        rows_(slot->rows),
        activations_{Memory(Size(kPlanes)), Memory(Size(layout.stem.out)),
                     Memory(Size(layout.stem.out)), Memory(Size(layout.heads.out))},
        hidden_(static_cast<size_t>(rows_) * layout.value_hidden * sizeof(float)) {}

  bool ExpandPositions() {
    ExpandPositionsOnHost(slot_->input.at<PackedPosition>(), rows_, Values(Activations::kInput));
    return true;
  }
  bool Convolve(const ConvolutionPlace& place, Activations from, Activations to, bool add) {
    ConvolveOnHost(place, rows_, Values(from), network_->at<T>(place.weight),
                   network_->at<T>(place.bias), add, Values(to));
    return true;
  }
  bool SpreadGlobal(uint64_t global, Activations from, Activations to) {
    SpreadGlobalOnHost(Values(from), network_->at<T>(global), rows_, layout_.stem.out, Values(to));
    return true;
  }
  bool ValueHidden() {
    ValueHiddenOnHost<T>({.heads = Values(Activations::kHeads),
                          .head_channels = layout_.heads.out,
                          .first_channel = layout_.policy_channels,
                          .value_channels = layout_.value_channels,
                          .weight = network_->at<T>(layout_.hidden_weight),
                          .bias = network_->at<float>(layout_.hidden_bias),
                          .rows = rows_,
                          .hidden = layout_.value_hidden,
                          .output = hidden_.at<float>()});
    return true;
  }
  bool Answers() {
    const BatchLayout batch(rows_);
    const AnswerArguments<T> arguments = {
        .heads = Values(Activations::kHeads),
        .head_channels = layout_.heads.out,
        .policy_channels = layout_.policy_channels,
        .policy_from = network_->at<T>(layout_.policy_from),
        .policy_to = network_->at<T>(layout_.policy_to),
        .policy_bias = network_->at<float>(layout_.policy_bias),
        .table = network_->at<PolicyTableEntry>(layout_.policy_table),
        .offsets = slot_->input.at<uint32_t>(batch.offsets()),
        .moves = slot_->input.at<uint16_t>(batch.moves()),
        .hidden = hidden_.at<float>(),
        .hidden_size = layout_.value_hidden,
        .outcome_weight = network_->at<float>(layout_.outcome_weight),
        .outcome_bias = network_->at<float>(layout_.outcome_bias),
        .outcomes = slot_->output.at<float>(),
        .priors = slot_->output.at<float>(batch.priors())};
    AnswersOnHost(arguments, rows_);
    return true;
  }

 private:
  size_t Size(int channels) const {
    return static_cast<size_t>(rows_) * kSquares * channels * sizeof(T);
  }
  T* Values(Activations which) { return activations_[static_cast<int>(which)].template at<T>(); }

  const NetworkLayout& layout_;
  Memory* const network_;
  Slot* const slot_;
  const int rows_;
  Memory activations_[4];
  Memory hidden_;
};

int Fail(char* error, const char* what) {
  std::snprintf(error, kCudaTextSize, "%s", what);
  return -1;
}

}  // namespace

struct CudaApiEvaluator {
  NetworkLayout layout;
  bool half_precision;
  int device;
  std::vector<int> buckets;
  Memory network;
  std::vector<Slot> slots;
};

int chuhe_cuda_api_version() { return kCudaApiVersion; }

int chuhe_cuda_list_devices(CudaApiDevice* devices, int capacity, char*) {
  for (int i = 0; i < std::min(kDevices, capacity); ++i) {
    devices[i] = {};
    std::snprintf(devices[i].name, kCudaTextSize, "host %d", i);
  }
  return kDevices;
}

int chuhe_cuda_self_test(int, char*) { return 0; }

int chuhe_cuda_create(const CudaApiShape* shape, const void* data, uint64_t bytes, int device,
                      int max_batch, CudaApiEvaluator** evaluator, char* error) {
  const NetworkLayout layout = MakeNetworkLayout(*shape);
  if (bytes != layout.bytes) return Fail(error, "wrong size of the network");
  if (device < 0 || device >= kDevices) return Fail(error, "no such device");
  *evaluator = new CudaApiEvaluator{.layout = layout,
                                    .half_precision = shape->half_precision != 0,
                                    .device = device,
                                    .buckets = BatchBuckets(max_batch),
                                    .network = Memory(bytes),
                                    .slots = std::vector<Slot>(kCudaSlots, Slot(max_batch))};
  std::memcpy((*evaluator)->network.at<std::byte>(), data, bytes);
  return 0;
}

void chuhe_cuda_destroy(CudaApiEvaluator* evaluator) { delete evaluator; }

void* chuhe_cuda_input(CudaApiEvaluator* evaluator, int slot) {
  return evaluator->slots[slot].input.at<void*>();
}

const void* chuhe_cuda_output(CudaApiEvaluator* evaluator, int slot) {
  return evaluator->slots[slot].output.at<void*>();
}

int chuhe_cuda_submit(CudaApiEvaluator* evaluator, int slot, int rows, int moves, char* error) {
  if (evaluator->device == kDeviceThatDoesNotStart) return Fail(error, "cannot start");
  if (evaluator->slots[slot].rows != 0) return Fail(error, "the slot is busy");
  const std::vector<int>& buckets = evaluator->buckets;
  if (std::find(buckets.begin(), buckets.end(), rows) == buckets.end()) {
    return Fail(error, "no such bucket");
  }
  const uint32_t* const offsets =
      evaluator->slots[slot].input.at<uint32_t>(BatchLayout(rows).offsets());
  if (offsets[rows] != static_cast<uint32_t>(moves)) return Fail(error, "wrong count of moves");
  evaluator->slots[slot].rows = rows;
  return 0;
}

// All the work is done here, so that nobody gets answers without waiting.
int chuhe_cuda_wait(CudaApiEvaluator* evaluator, int slot_index, char* error) {
  Slot& slot = evaluator->slots[slot_index];
  if (evaluator->device == kDeviceThatDoesNotFinish) return Fail(error, "cannot finish");
  if (slot.rows == 0) return Fail(error, "nothing was submitted");
  if (evaluator->half_precision) {
    HostSteps<Half> steps(evaluator->layout, &evaluator->network, &slot);
    RunNetwork(evaluator->layout, &steps);
  } else {
    HostSteps<float> steps(evaluator->layout, &evaluator->network, &slot);
    RunNetwork(evaluator->layout, &steps);
  }
  slot.rows = 0;
  return 0;
}

}  // namespace chuhe
