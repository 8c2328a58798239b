#include "nets/onednn/onednn_evaluator.h"

#include <algorithm>
#include <utility>

#include "engine/board/types.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/onednn/single_thread.h"

namespace chuhe {

OnednnEvaluator::OnednnEvaluator(std::shared_ptr<const PackedNetwork> network)
    : network_(std::move(network)), tower_(network_) {}

void OnednnEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  const SingleThreadScope single_thread;
  while (!requests.empty()) {
    const size_t count = std::min<size_t>(requests.size(), tower_.capacity());
    for (size_t i = 0; i < count; ++i) {
      ExpandPlanes(Pack(requests[i]), tower_.levels() + i * kSquares * kPlanes);
    }
    const float* map = tower_.Run(static_cast<int>(count));
    network_->heads().Answer(map, requests.first(count), &workspace_);
    requests = requests.subspan(count);
  }
}

}  // namespace chuhe
