#include "nets/cuda/cuda_evaluator.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "nets/cuda/batch_buckets.h"
#include "nets/cuda/batch_layout.h"
#include "nets/features/packed_position.h"
#include "nets/features/policy.h"

namespace chuhe {
namespace {

[[noreturn]] void Abort(int device, const char* error) {
  std::fprintf(stderr, "cuda:%d does not evaluate any more: %s\n", device, error);
  std::abort();
}

// Writes the requests as a batch of `rows` rows; returns how many moves they have together.
int WriteBatch(std::span<const EvaluationRequest> requests, int rows, std::byte* input) {
  const BatchLayout layout(rows);
  auto* const positions = reinterpret_cast<PackedPosition*>(input);
  auto* const offsets = reinterpret_cast<uint32_t*>(input + layout.offsets());
  auto* const moves = reinterpret_cast<uint16_t*>(input + layout.moves());
  uint32_t count = 0;
  size_t row = 0;
  for (; row < requests.size(); ++row) {
    const EvaluationRequest& request = requests[row];
    positions[row] = Pack(request);
    offsets[row] = count;
    const Color side = request.position.side_to_move();
    for (const Move move : request.moves) {
      const int index = PolicyIndex(SeenBy(side, move));
      assert(index >= 0);
      moves[count++] = static_cast<uint16_t>(index);
    }
  }
  for (; row < layout.rows; ++row) {
    positions[row] = positions[0];
    offsets[row] = count;
  }
  offsets[row] = count;
  return static_cast<int>(count);
}

void ReadAnswers(std::span<EvaluationRequest> requests, int rows, const std::byte* output) {
  const BatchLayout layout(rows);
  const auto* outcomes = reinterpret_cast<const float*>(output);
  const auto* priors = reinterpret_cast<const float*>(output + layout.priors());
  for (EvaluationRequest& request : requests) {
    request.wdl = {outcomes[0], outcomes[1], outcomes[2]};
    request.plies_left = outcomes[3];
    outcomes += kOutcomes;
    std::copy_n(priors, request.moves.size, request.priors);
    priors += request.moves.size;
  }
}

}  // namespace

CudaEvaluator::CudaEvaluator(const CudaApiFunctions& functions, CudaApiEvaluator* evaluator,
                             int device, int max_batch)
    : functions_(functions),
      evaluator_(evaluator),
      device_(device),
      buckets_(BatchBuckets(max_batch)) {}

absl::StatusOr<std::unique_ptr<CudaEvaluator>> CudaEvaluator::Create(const CudaLibrary& library,
                                                                     const PreparedNetwork& network,
                                                                     int device, int max_batch) {
  if (max_batch < 1 || max_batch > kCudaMaxBatch) {
    return absl::InvalidArgumentError(absl::StrCat(
        "batches of ", max_batch, " positions for a GPU, expected 1 to ", kCudaMaxBatch));
  }
  const CudaApiFunctions& functions = library.functions();
  const CudaApiShape shape = network.shape();
  CudaApiEvaluator* evaluator = nullptr;
  char error[kCudaTextSize] = "";
  if (functions.create(&shape, network.bytes().data(), network.bytes().size(), device, max_batch,
                       &evaluator, error) < 0) {
    return absl::InternalError(absl::StrCat("CUDA device ", device, ": ", error));
  }
  return std::unique_ptr<CudaEvaluator>(new CudaEvaluator(functions, evaluator, device, max_batch));
}

CudaEvaluator::~CudaEvaluator() { functions_.destroy(evaluator_); }

void CudaEvaluator::Start(std::span<EvaluationRequest> requests) {
  const int slot = next_slot_;
  next_slot_ = (next_slot_ + 1) % kCudaSlots;
  const int rows = buckets_[BucketFor(buckets_, static_cast<int>(requests.size()))];
  const int moves =
      WriteBatch(requests, rows, static_cast<std::byte*>(functions_.input(evaluator_, slot)));
  char error[kCudaTextSize] = "";
  if (functions_.submit(evaluator_, slot, rows, moves, error) < 0) Abort(device_, error);
  chunks_.push_back({requests, slot});
  ++unfinished_.back();
}

void CudaEvaluator::FinishOldest() {
  const Chunk chunk = chunks_.front();
  chunks_.pop_front();
  char error[kCudaTextSize] = "";
  if (functions_.wait(evaluator_, chunk.slot, error) < 0) Abort(device_, error);
  const int rows = buckets_[BucketFor(buckets_, static_cast<int>(chunk.requests.size()))];
  ReadAnswers(chunk.requests, rows,
              static_cast<const std::byte*>(functions_.output(evaluator_, chunk.slot)));
  --*std::find_if(unfinished_.begin(), unfinished_.end(), [](int chunks) { return chunks > 0; });
}

void CudaEvaluator::Submit(std::span<EvaluationRequest> requests) {
  unfinished_.push_back(0);
  const size_t largest = static_cast<size_t>(buckets_.back());
  while (!requests.empty()) {
    if (chunks_.size() == kCudaSlots) FinishOldest();
    const size_t count = std::min(requests.size(), largest);
    Start(requests.first(count));
    requests = requests.subspan(count);
  }
}

void CudaEvaluator::Wait() {
  while (unfinished_.front() > 0) FinishOldest();
  unfinished_.pop_front();
}

void CudaEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  Submit(requests);
  Wait();
}

absl::StatusOr<std::vector<int>> ParseCudaDevices(absl::string_view text) {
  const auto error = [text](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("device '", text, "'", what, "; expected cuda, cuda:0 or cuda:0,1"));
  };
  if (text == "cuda") return std::vector<int>{0};
  absl::string_view list = text;
  if (!absl::ConsumePrefix(&list, "cuda:")) return error("");
  std::vector<int> devices;
  for (const absl::string_view number : absl::StrSplit(list, ',')) {
    int device = 0;
    if (!absl::SimpleAtoi(number, &device) || device < 0) {
      return error(absl::StrCat(": '", number, "' is no number of a device"));
    }
    if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
      return error(absl::StrCat(" names ", device, " twice"));
    }
    devices.push_back(device);
  }
  return devices;
}

absl::StatusOr<std::vector<std::unique_ptr<Evaluator>>> OpenCudaEvaluators(
    const std::vector<int>& devices, const NetworkWeights& weights,
    const CudaEvaluatorOptions& options, const std::string& library_path) {
  CHUHE_ASSIGN_OR_RETURN(const CudaLibrary library, CudaLibrary::Open(library_path));
  CHUHE_ASSIGN_OR_RETURN(const std::vector<CudaDevice> present, library.ListDevices());
  const int count = static_cast<int>(present.size());
  for (const int device : devices) {
    if (device < 0 || device >= count) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no device cuda:", device, "; this machine has ", count));
    }
  }
  CHUHE_ASSIGN_OR_RETURN(const PreparedNetwork network,
                         PreparedNetwork::Make(weights, options.precision));
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  evaluators.reserve(devices.size());
  for (const int device : devices) {
    CHUHE_ASSIGN_OR_RETURN(std::unique_ptr<CudaEvaluator> evaluator,
                           CudaEvaluator::Create(library, network, device, options.max_batch));
    evaluators.push_back(std::move(evaluator));
  }
  return evaluators;
}

}  // namespace chuhe
