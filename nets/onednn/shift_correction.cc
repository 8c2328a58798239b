#include "nets/onednn/shift_correction.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nets/features/planes.h"
#include "nets/features/random_positions.h"
#include "nets/onednn/single_thread.h"
#include "nets/onednn/tower.h"

namespace chuhe {
namespace {

constexpr int kPositions = 64;

// Sums over the positions of what the hidden layer of the value gets.
std::vector<double> HiddenSums(const std::shared_ptr<const PackedNetwork>& network,
                               std::span<const PackedPosition> positions) {
  const SingleThreadScope single_thread;
  Tower tower(network);
  std::vector<double> sums(static_cast<size_t>(network->architecture().value_hidden));
  std::vector<float> hidden;
  while (!positions.empty()) {
    const size_t count = std::min<size_t>(positions.size(), tower.capacity());
    for (size_t i = 0; i < count; ++i) {
      ExpandPlanes(positions[i], tower.levels() + i * kSquares * kPlanes);
    }
    const float* const map = tower.Run(static_cast<int>(count));
    const size_t stride = network->heads().HiddenSums(map, static_cast<int>(count), &hidden);
    for (size_t i = 0; i < count; ++i) {
      for (size_t unit = 0; unit < sums.size(); ++unit) {
        sums[unit] += double{hidden[i * stride + unit]};
      }
    }
    positions = positions.subspan(count);
  }
  return sums;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const PackedNetwork>> MakeWithoutShift(const NetworkWeights& network,
                                                                      CpuPrecision precision) {
  CHUHE_ASSIGN_OR_RETURN(const auto rough, PackedNetwork::Make(network, precision));
  CHUHE_ASSIGN_OR_RETURN(const auto exact, PackedNetwork::Make(network, CpuPrecision::kFp32));
  NetworkWeights corrected = network;
  try {
    const std::vector<PackedPosition> positions = RandomPositions(kPositions, /*seed=*/1);
    const std::vector<double> is = HiddenSums(rough, positions);
    const std::vector<double> should_be = HiddenSums(exact, positions);
    for (size_t i = 0; i < is.size(); ++i) {
      corrected.value_hidden.bias[i] += static_cast<float>((should_be[i] - is[i]) / kPositions);
    }
  } catch (const dnnl::error& error) {
    return absl::InternalError(absl::StrCat("oneDNN: ", error.what()));
  }
  return PackedNetwork::Make(corrected, precision);
}

}  // namespace chuhe
