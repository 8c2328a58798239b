// A network as the CUDA library takes it: the numbers in the precision, the order and the places
// that network_layout.h says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "nets/cuda/api.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

enum class CudaPrecision { kFloat32, kFloat16 };

// Immutable once made; several evaluators may be made from one.
class PreparedNetwork {
 public:
  // InvalidArgument, with the tensor's name, where an array has not the architecture's size or a
  // number is beyond half precision; also where calibration saw values that are.
  static absl::StatusOr<PreparedNetwork> Make(const NetworkWeights& weights,
                                              CudaPrecision precision);

  // Points into this object.
  CudaApiShape shape() const;
  std::span<const std::byte> bytes() const { return bytes_; }
  CudaPrecision precision() const { return precision_; }

 private:
  PreparedNetwork(const NetworkWeights& weights, CudaPrecision precision);

  Architecture architecture_;
  std::vector<int32_t> global_blocks_;
  CudaPrecision precision_;
  std::vector<std::byte> bytes_;
};

}  // namespace chuhe
