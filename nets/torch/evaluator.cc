#include "nets/torch/evaluator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

#include "ATen/Context.h"
#include "ATen/Parallel.h"
#include "ATen/TensorOperators.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/empty.h"
#include "ATen/ops/tensor.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "c10/core/InferenceMode.h"
#include "engine/base/status_macros.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/torch/error_text.h"
#include "nets/torch/folded_network.h"
#include "nets/torch/runtime.h"
#include "nets/torch/weights_conversion.h"

namespace chuhe {
namespace {

constexpr size_t kPositionBytes = size_t{kSquares} * kPlanes;
constexpr int kPointShapes = 2 * kMoveShapes;  // numbers by point of FoldedNetwork::Output::moves

// Where in a position's [90, 2, 50] the two parts of a move's logit are.
struct LogitPlaces {
  int from;
  int to;
};

LogitPlaces PlacesOf(Move seen) {
  const int shape = MoveShape(seen);
  return {seen.from() * kPointShapes + shape, seen.to() * kPointShapes + kMoveShapes + shape};
}

// Replaces logits by their softmax.
void Softmax(std::span<float> logits) {
  const float max = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  for (float& logit : logits) {
    logit = std::exp(logit - max);
    sum += logit;
  }
  for (float& logit : logits) logit /= sum;
}

// From the logits in `priors` and the four numbers of the value head.
void Answer(const float* value, EvaluationRequest* request) {
  Softmax({request->priors, static_cast<size_t>(request->moves.size)});
  float wdl[] = {value[0], value[1], value[2]};
  Softmax(wdl);
  request->wdl = {wdl[0], wdl[1], wdl[2]};
  request->plies_left =
      kPliesLeftUnit * (std::max(value[3], 0.0f) + std::log1p(std::exp(-std::abs(value[3]))));
}

// LibTorch's number of threads while it lives, for the thread that made it.
class ThreadsGuard {
 public:
  explicit ThreadsGuard(int threads) : before_(at::get_num_threads()) {
    if (before_ != threads) at::set_num_threads(threads);
  }
  ~ThreadsGuard() {
    if (at::get_num_threads() != before_) at::set_num_threads(before_);
  }
  ThreadsGuard(const ThreadsGuard&) = delete;
  ThreadsGuard& operator=(const ThreadsGuard&) = delete;

 private:
  int before_;
};

[[noreturn]] void Die(const std::exception& error) {
  std::fprintf(stderr, "chuhe: LibTorch failed while evaluating: %s\n",
               TorchErrorText(error).c_str());
  std::abort();
}

// On the CPU. A batch is cut into pieces of a few sizes, each with a compiled network of its own,
// made when it is first needed. Larger pieces are no faster.
class CompiledEvaluator : public Evaluator {
 public:
  CompiledEvaluator(const NetworkWeights& weights, int threads)
      : network_(weights, at::kCPU), threads_(threads) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    try {
      const ThreadsGuard guard(threads_);
      while (!requests.empty()) {
        CompiledNetwork& network = NetworkFor(requests.size());
        const size_t count = std::min<size_t>(requests.size(), network.batch());
        EvaluatePiece(network, requests.first(count));
        requests = requests.subspan(count);
      }
    } catch (const std::exception& error) {
      Die(error);
    }
  }

 private:
  static constexpr int kPieces[] = {32, 8, 1};
  // A piece is taken from this share on; the rest of it is wasted.
  static constexpr double kMinFilled = 0.6;

  CompiledNetwork& NetworkFor(size_t positions) {
    const int size = *std::find_if(std::begin(kPieces), std::end(kPieces), [&](int piece) {
      return static_cast<double>(positions) >= kMinFilled * piece;
    });
    const auto known = std::find_if(compiled_.begin(), compiled_.end(),
                                    [&](const auto& network) { return network.batch() == size; });
    return known != compiled_.end() ? *known : compiled_.emplace_back(network_, size);
  }

  static void EvaluatePiece(CompiledNetwork& network, std::span<EvaluationRequest> requests) {
    for (size_t i = 0; i < requests.size(); ++i) {
      ExpandPlanes(Pack(requests[i]), network.levels() + i * kPositionBytes);
    }
    const FoldedNetwork::Output output = network.Run();
    const float* moves = output.moves.const_data_ptr<float>();
    const float* value = output.value.const_data_ptr<float>();
    for (EvaluationRequest& request : requests) {
      const Color side = request.position.side_to_move();
      for (int i = 0; i < request.moves.size; ++i) {
        const LogitPlaces places = PlacesOf(SeenBy(side, request.moves[i]));
        request.priors[i] = moves[places.from] + moves[places.to];
      }
      Answer(value, &request);
      moves += kSquares * kPointShapes;
      value += 4;
    }
  }

  FoldedNetwork network_;
  int threads_;
  std::vector<CompiledNetwork> compiled_;
};

// The whole batch at once, operator by operator, on any device; the logits of legal moves are
// gathered there, so that few bytes come back.
class EagerEvaluator : public Evaluator {
 public:
  EagerEvaluator(const NetworkWeights& weights, at::Device device, int threads)
      : network_(weights, device), device_(device), threads_(threads) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    if (requests.empty()) return;
    try {
      const ThreadsGuard guard(threads_);
      const c10::InferenceMode inference;
      const auto count = static_cast<int64_t>(requests.size());
      const at::Tensor levels = at::empty({count, kSquares, kPlanes}, at::kByte);
      auto* bytes = levels.mutable_data_ptr<uint8_t>();
      std::vector<int64_t> from_places;
      std::vector<int64_t> to_places;
      for (size_t i = 0; i < requests.size(); ++i) {
        ExpandPlanes(Pack(requests[i]), bytes + i * kPositionBytes);
        const Color side = requests[i].position.side_to_move();
        const int64_t base = static_cast<int64_t>(i) * kSquares * kPointShapes;
        for (int move = 0; move < requests[i].moves.size; ++move) {
          const LogitPlaces places = PlacesOf(SeenBy(side, requests[i].moves[move]));
          from_places.push_back(base + places.from);
          to_places.push_back(base + places.to);
        }
      }
      const FoldedNetwork::Output output = network_.Forward(levels.to(device_));
      const at::Tensor flat = output.moves.flatten();
      const at::Tensor logits = (flat.index_select(0, at::tensor(from_places).to(device_)) +
                                 flat.index_select(0, at::tensor(to_places).to(device_)))
                                    .cpu();
      const at::Tensor values = output.value.cpu().contiguous();
      const float* logit = logits.const_data_ptr<float>();
      const float* value = values.const_data_ptr<float>();
      for (EvaluationRequest& request : requests) {
        std::copy_n(logit, request.moves.size, request.priors);
        logit += request.moves.size;
        Answer(value, &request);
        value += 4;
      }
    } catch (const std::exception& error) {
      Die(error);
    }
  }

 private:
  FoldedNetwork network_;
  at::Device device_;
  int threads_;
};

// The number of a CUDA device that is there, or why there is none.
absl::StatusOr<int> FindCudaDevice(absl::string_view name) {
  absl::string_view rest = name;
  int number = 0;
  if (!absl::ConsumePrefix(&rest, "cuda") ||
      (!rest.empty() && !(absl::ConsumePrefix(&rest, ":") && absl::SimpleAtoi(rest, &number) &&
                          number >= 0 && number <= 127))) {
    return absl::InvalidArgumentError(
        absl::StrCat("device '", name, "': expected cpu, cuda or cuda:N"));
  }
  CHUHE_ASSIGN_OR_RETURN(const TorchRuntimeInfo info, GetTorchRuntimeInfo());
  if (info.cuda_devices == 0) {
    return absl::NotFoundError(absl::StrCat("device '", name, "': ", info.cuda_obstacle));
  }
  if (number >= info.cuda_devices) {
    return absl::NotFoundError(
        absl::StrCat("device '", name, "': LibTorch sees ", info.cuda_devices, " CUDA devices"));
  }
  return number;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Evaluator>> OpenTorchEvaluator(
    const NetworkWeights& weights, const TorchEvaluatorOptions& options) {
  CHUHE_RETURN_IF_ERROR(CheckShapes(weights));
  if (options.threads < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("threads of an evaluator: ", options.threads, ", expected at least 1"));
  }
  try {
    if (options.device == "cpu") {
      if (options.is_compiled && at::hasMKLDNN()) {
        return std::make_unique<CompiledEvaluator>(weights, options.threads);
      }
      return std::make_unique<EagerEvaluator>(weights, at::kCPU, options.threads);
    }
    CHUHE_ASSIGN_OR_RETURN(const int number, FindCudaDevice(options.device));
    return std::make_unique<EagerEvaluator>(
        weights, at::Device(at::kCUDA, static_cast<at::DeviceIndex>(number)), options.threads);
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("LibTorch, making an evaluator on ", options.device,
                                            ": ", TorchErrorText(error)));
  }
}

}  // namespace chuhe
