#include "nets/onednn/calibrate.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/types.h"
#include "nets/features/planes.h"
#include "nets/onednn/cpu_precision.h"
#include "nets/onednn/packed_network.h"
#include "nets/onednn/single_thread.h"
#include "nets/onednn/tower.h"

namespace chuhe {
namespace {

// Raises reach[c] to the greatest value of channel begin + c of a map with `stride` channels.
void Raise(const float* map, int positions, int stride, int begin, std::vector<float>* reach) {
  for (int point = 0; point < positions * kSquares; ++point) {
    const float* values = map + static_cast<size_t>(point) * stride + begin;
    for (size_t c = 0; c < reach->size(); ++c) (*reach)[c] = std::max((*reach)[c], values[c]);
  }
}

class ReachObserver : public TowerObserver {
 public:
  explicit ReachObserver(const Architecture& architecture) : channels_(architecture.channels) {
    const std::vector<float> zeros(channels_);
    reach_.stem = zeros;
    reach_.blocks.assign(architecture.blocks, {.inner = zeros, .output = zeros});
    reach_.policy.resize(architecture.policy_channels);
    reach_.value.resize(architecture.value_channels);
  }

  void Stem(const void* map, int positions) override { RaiseMap(map, positions, &reach_.stem); }
  void Inner(int block, const void* map, int positions) override {
    RaiseMap(map, positions, &reach_.blocks[block].inner);
  }
  void Output(int block, const void* map, int positions) override {
    RaiseMap(map, positions, &reach_.blocks[block].output);
  }
  void Heads(const float* map, int positions) {
    const int policy = static_cast<int>(reach_.policy.size());
    const int stride = policy + static_cast<int>(reach_.value.size());
    Raise(map, positions, stride, 0, &reach_.policy);
    Raise(map, positions, stride, policy, &reach_.value);
  }

  Calibration Take() { return std::move(reach_); }

 private:
  void RaiseMap(const void* map, int positions, std::vector<float>* reach) {
    Raise(static_cast<const float*>(map), positions, channels_, 0, reach);
  }

  int channels_;
  Calibration reach_;
};

}  // namespace

absl::Status Calibrate(NetworkWeights* network, std::span<const PackedPosition> positions) {
  CHUHE_ASSIGN_OR_RETURN(std::shared_ptr<const PackedNetwork> packed,
                         PackedNetwork::Make(*network, CpuPrecision::kFp32));
  const SingleThreadScope single_thread;
  ReachObserver observer(network->architecture);
  try {
    Tower tower(std::move(packed));
    while (!positions.empty()) {
      const size_t count = std::min<size_t>(positions.size(), tower.capacity());
      for (size_t i = 0; i < count; ++i) {
        ExpandPlanes(positions[i], tower.levels() + i * kSquares * kPlanes);
      }
      const float* map = tower.Run(static_cast<int>(count), &observer);
      observer.Heads(map, static_cast<int>(count));
      positions = positions.subspan(count);
    }
  } catch (const dnnl::error& error) {
    return absl::InternalError(absl::StrCat("oneDNN: ", error.what()));
  }
  network->calibration = observer.Take();
  return absl::OkStatus();
}

}  // namespace chuhe
