#include "nets/cuda/device_evaluator.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "nets/cuda/batch_buckets.h"
#include "nets/cuda/batch_layout.h"
#include "nets/cuda/check.h"
#include "nets/cuda/element.h"
#include "nets/cuda/forward.h"
#include "nets/cuda/kernels.h"

namespace chuhe {

// One evaluation of `rows` positions, enqueued step by step on the slot's stream (forward.h).
template <typename T>
class DeviceEvaluator::Steps {
 public:
  Steps(const DeviceEvaluator& evaluator, const Slot& slot, int rows, char* error)
      : evaluator_(evaluator), slot_(slot), rows_(rows), batch_(rows), error_(error) {}

  bool ExpandPositions() {
    return LaunchExpandPositions(static_cast<const PackedPosition*>(slot_.input.get()), rows_,
                                 Values(Activations::kInput), slot_.stream.get(), error_);
  }

  bool Convolve(const ConvolutionPlace& place, Activations from, Activations to, bool add) {
    const Convolutions::Operands operands = {.x = Values(from),
                                             .weight = Network<T>(place.weight),
                                             .bias = Network<T>(place.bias),
                                             .y = Values(to),
                                             .add_y = add,
                                             .workspace = slot_.workspace.get(),
                                             .workspace_bytes = evaluator_.workspace_bytes_};
    return evaluator_.convolutions_.Run(place, rows_, operands, slot_.stream.get(), error_);
  }

  bool SpreadGlobal(uint64_t global, Activations from, Activations to) {
    return LaunchSpreadGlobal(Values(from), Network<T>(global), rows_, layout().stem.out,
                              Values(to), slot_.stream.get(), error_);
  }

  bool ValueHidden() {
    const ValueHiddenArguments<T> arguments = {.heads = Values(Activations::kHeads),
                                               .head_channels = layout().heads.out,
                                               .first_channel = layout().policy_channels,
                                               .value_channels = layout().value_channels,
                                               .weight = Network<T>(layout().hidden_weight),
                                               .bias = Network<float>(layout().hidden_bias),
                                               .rows = rows_,
                                               .hidden = layout().value_hidden,
                                               .output = Hidden()};
    return LaunchValueHidden(arguments, slot_.stream.get(), error_);
  }

  bool Answers() {
    const auto* const input = static_cast<const std::byte*>(slot_.input.get());
    auto* const output = static_cast<std::byte*>(slot_.output.get());
    const AnswerArguments<T> arguments = {
        .heads = Values(Activations::kHeads),
        .head_channels = layout().heads.out,
        .policy_channels = layout().policy_channels,
        .policy_from = Network<T>(layout().policy_from),
        .policy_to = Network<T>(layout().policy_to),
        .policy_bias = Network<float>(layout().policy_bias),
        .table = Network<PolicyTableEntry>(layout().policy_table),
        .offsets = reinterpret_cast<const uint32_t*>(input + batch_.offsets()),
        .moves = reinterpret_cast<const uint16_t*>(input + batch_.moves()),
        .hidden = Hidden(),
        .hidden_size = layout().value_hidden,
        .outcome_weight = Network<float>(layout().outcome_weight),
        .outcome_bias = Network<float>(layout().outcome_bias),
        .outcomes = reinterpret_cast<float*>(output),
        .priors = reinterpret_cast<float*>(output + batch_.priors())};
    return LaunchAnswers(arguments, rows_, slot_.stream.get(), error_);
  }

 private:
  const NetworkLayout& layout() const { return evaluator_.layout_; }
  template <typename U>
  const U* Network(uint64_t offset) const {
    return reinterpret_cast<const U*>(static_cast<const std::byte*>(evaluator_.network_.get()) +
                                      offset);
  }
  T* Values(Activations which) const {
    return static_cast<T*>(slot_.activations[static_cast<int>(which)].get());
  }
  float* Hidden() const { return static_cast<float*>(slot_.hidden.get()); }

  const DeviceEvaluator& evaluator_;
  const Slot& slot_;
  const int rows_;
  const BatchLayout batch_;
  char* const error_;
};

DeviceEvaluator::DeviceEvaluator(const CudaApiShape& shape, int device, int max_batch)
    : device_(device),
      half_precision_(shape.half_precision != 0),
      layout_(MakeNetworkLayout(shape)),
      buckets_(BatchBuckets(max_batch)) {}

std::unique_ptr<DeviceEvaluator> DeviceEvaluator::Create(const CudaApiShape& shape,
                                                         const void* data, uint64_t bytes,
                                                         int device, int max_batch, char* error) {
  std::unique_ptr<DeviceEvaluator> evaluator(new DeviceEvaluator(shape, device, max_batch));
  return evaluator->Load(data, bytes, error) ? std::move(evaluator) : nullptr;
}

DeviceEvaluator::~DeviceEvaluator() {
  if (slots_[0].stream == nullptr) return;  // there was no such device
  ReportFailure(cudaSetDevice(device_), "cudaSetDevice");
  for (const Slot& slot : slots_) {
    if (slot.stream != nullptr) {
      ReportFailure(cudaStreamSynchronize(slot.stream.get()), "cudaStreamSynchronize");
    }
  }
}

bool DeviceEvaluator::Load(const void* data, uint64_t bytes, char* error) {
  if (bytes != layout_.bytes) {
    std::snprintf(error, kCudaTextSize, "the network has %llu bytes, its shape needs %llu",
                  static_cast<unsigned long long>(bytes),
                  static_cast<unsigned long long>(layout_.bytes));
    return false;
  }
  CHUHE_CUDA_CALL(cudaSetDevice, device_);
  // Nothing here waits for the device as a whole: that is forbidden while another evaluator's
  // graphs are being captured.
  for (Slot& slot : slots_) {
    if (!CreateStream(&slot.stream, error)) return false;
  }
  const cudaStream_t stream = slots_[0].stream.get();
  if (!AllocateDevice(bytes, stream, &network_, error)) return false;
  CHUHE_CUDA_CALL(cudaMemcpyAsync, network_.get(), data, bytes, cudaMemcpyHostToDevice, stream);
  CHUHE_CUDA_CALL(cudaStreamSynchronize, stream);
  if (!convolutions_.Create(half_precision_, error)) return false;
  // Every block's convolutions have the shape of the first one's.
  for (const int rows : buckets_) {
    for (const ConvolutionPlace* place :
         {&layout_.stem, &layout_.blocks[0].conv1, &layout_.heads}) {
      if (!convolutions_.RaiseWorkspace(*place, rows, &workspace_bytes_, error)) return false;
    }
  }
  for (Slot& slot : slots_) {
    if (!Allocate(&slot, error) || !Capture(&slot, error)) return false;
  }
  return true;
}

bool DeviceEvaluator::Allocate(Slot* slot, char* error) const {
  const cudaStream_t stream = slot->stream.get();
  const size_t rows = static_cast<size_t>(buckets_.back());
  const BatchLayout batch(buckets_.back());
  const size_t input_bytes = batch.input_bytes(batch.max_moves());
  const size_t output_bytes = batch.output_bytes(batch.max_moves());
  if (!AllocatePinned(input_bytes, &slot->host_input, error) ||
      !AllocatePinned(output_bytes, &slot->host_output, error) ||
      !AllocateDevice(input_bytes, stream, &slot->input, error) ||
      !AllocateDevice(output_bytes, stream, &slot->output, error) ||
      !AllocateDevice(rows * layout_.value_hidden * sizeof(float), stream, &slot->hidden, error) ||
      !AllocateDevice(std::max<size_t>(workspace_bytes_, 1), stream, &slot->workspace, error)) {
    return false;
  }
  const int widths[] = {kPlanes, layout_.stem.out, layout_.stem.out, layout_.heads.out};
  for (int i = 0; i < 4; ++i) {
    const size_t size = rows * kSquares * widths[i] * layout_.element_bytes;
    if (!AllocateDevice(size, stream, &slot->activations[i], error)) return false;
  }
  // Who waits sleeps: the core is better used by those that make the next batch.
  cudaEvent_t answered = nullptr;
  CHUHE_CUDA_CALL(cudaEventCreateWithFlags, &answered,
                  cudaEventBlockingSync | cudaEventDisableTiming);
  slot->answered.reset(answered);
  return true;
}

bool DeviceEvaluator::Enqueue(const Slot& slot, int rows, char* error) const {
  if (half_precision_) {
    Steps<Half> steps(*this, slot, rows, error);
    return RunNetwork(layout_, &steps);
  }
  Steps<float> steps(*this, slot, rows, error);
  return RunNetwork(layout_, &steps);
}

bool DeviceEvaluator::Capture(Slot* slot, char* error) const {
  const cudaStream_t stream = slot->stream.get();
  for (const int rows : buckets_) {
    // Once without capturing: libraries load kernels at their first use, which a capture forbids.
    if (!Enqueue(*slot, rows, error)) return false;
    CHUHE_CUDA_CALL(cudaStreamSynchronize, stream);

    // Other threads may use CUDA meanwhile.
    CHUHE_CUDA_CALL(cudaStreamBeginCapture, stream, cudaStreamCaptureModeThreadLocal);
    const bool enqueued = Enqueue(*slot, rows, error);
    cudaGraph_t captured = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &captured);
    const Graph graph(captured);
    if (!enqueued || !CudaSucceeded(ended, "cudaStreamEndCapture", error)) return false;

    cudaGraphExec_t exec = nullptr;
    CHUHE_CUDA_CALL(cudaGraphInstantiate, &exec, graph.get(), 0);
    slot->graphs.emplace_back(exec);
    CHUHE_CUDA_CALL(cudaGraphUpload, exec, stream);
  }
  CHUHE_CUDA_CALL(cudaStreamSynchronize, stream);
  return true;
}

bool DeviceEvaluator::Submit(int slot_index, int rows, int moves, char* error) {
  const auto bucket = std::find(buckets_.begin(), buckets_.end(), rows);
  const BatchLayout batch(rows);
  if (slot_index < 0 || slot_index >= kCudaSlots || bucket == buckets_.end() || moves < 0 ||
      static_cast<size_t>(moves) > batch.max_moves()) {
    std::snprintf(error, kCudaTextSize, "no slot %d for %d positions with %d moves", slot_index,
                  rows, moves);
    return false;
  }
  const Slot& slot = slots_[slot_index];
  const cudaStream_t stream = slot.stream.get();
  CHUHE_CUDA_CALL(cudaSetDevice, device_);
  CHUHE_CUDA_CALL(cudaMemcpyAsync, slot.input.get(), slot.host_input.get(),
                  batch.input_bytes(moves), cudaMemcpyHostToDevice, stream);
  CHUHE_CUDA_CALL(cudaGraphLaunch, slot.graphs[bucket - buckets_.begin()].get(), stream);
  CHUHE_CUDA_CALL(cudaMemcpyAsync, slot.host_output.get(), slot.output.get(),
                  batch.output_bytes(moves), cudaMemcpyDeviceToHost, stream);
  CHUHE_CUDA_CALL(cudaEventRecord, slot.answered.get(), stream);
  return true;
}

bool DeviceEvaluator::Wait(int slot, char* error) {
  CHUHE_CUDA_CALL(cudaSetDevice, device_);
  CHUHE_CUDA_CALL(cudaEventSynchronize, slots_[slot].answered.get());
  return true;
}

}  // namespace chuhe
