// The tensors of a network by name and shape: what a file holds, in the order in which it is
// written. docs/formats.md lists them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

enum class TensorGroup {
  kCalibration,  // Calibration: there as a whole or not at all
  kNorms,        // NormStatistics: likewise
  kWeights,      // everything else: always there
};
// In the order of the file.
inline constexpr TensorGroup kTensorGroups[] = {TensorGroup::kCalibration, TensorGroup::kNorms,
                                                TensorGroup::kWeights};

// What the names of an optional group begin with; nothing for kWeights.
absl::string_view TensorGroupPrefix(TensorGroup group);

// One tensor and where its numbers are. `Values` is a vector of floats, const or not; the last
// dimension of the shape runs fastest.
template <typename Values>
struct TensorOf {
  std::string name;
  TensorGroup group = TensorGroup::kWeights;
  std::vector<int> shape;
  Values* values = nullptr;

  // How many numbers the shape holds.
  size_t size() const {
    size_t size = 1;
    for (const int dimension : shape) size *= static_cast<size_t>(dimension);
    return size;
  }
};
using Tensor = TensorOf<std::vector<float>>;
using ConstTensor = TensorOf<const std::vector<float>>;

// The tensors of a group for the network's architecture, which must be one that CheckArchitecture
// accepts. The per-block parts must be as many as its blocks, which SetBlockCount sees to; the
// vectors of numbers may have any size. The network must outlive the list.
std::vector<Tensor> ListTensors(TensorGroup group, NetworkWeights* network);
std::vector<ConstTensor> ListTensors(TensorGroup group, const NetworkWeights& network);

// Makes the per-block parts of a group as many as the architecture's blocks.
void SetBlockCount(TensorGroup group, NetworkWeights* network);
// Whether they are.
bool HasBlockCount(TensorGroup group, const NetworkWeights& network);

// An optional group is there if any part of it is.
bool HasGroup(TensorGroup group, const NetworkWeights& network);

// Whether all numbers are finite and, where they are magnitudes or deviations, not below 0. The
// error names the tensor.
absl::Status CheckNumbers(absl::string_view name, TensorGroup group,
                          const std::vector<float>& values);

// `[50,32]`, for errors.
std::string ShapeText(const std::vector<int>& shape);

// How many numbers are trained: those of the group kWeights.
size_t ParameterCount(const Architecture& architecture);

}  // namespace chuhe
