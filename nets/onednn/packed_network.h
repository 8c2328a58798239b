// A network made ready for the CPU in one precision: weights in oneDNN's layout, scales folded in.
// It is made once and shared by the evaluators of all cores.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "nets/onednn/convolution.h"
#include "nets/onednn/cpu_precision.h"
#include "nets/onednn/dense_layer.h"
#include "nets/onednn/heads.h"
#include "nets/weights/network_weights.h"

namespace chuhe {

// Immutable, thread-safe.
class PackedNetwork {
 public:
  struct Block {
    Convolution conv1;
    Convolution conv2;
    // In global blocks: from the sums over the points of the stored input to what is added to
    // conv1's bias, both in conv1's units.
    DenseLayer global;
    bool is_global = false;
  };

  // Errors: the network is not calibrated (int8), or oneDNN's.
  static absl::StatusOr<std::shared_ptr<const PackedNetwork>> Make(const NetworkWeights& network,
                                                                   CpuPrecision precision);

  const Architecture& architecture() const { return architecture_; }
  CpuPrecision precision() const { return precision_; }
  // How the values between the layers are stored.
  Number number() const { return number_; }
  const Convolution& stem() const { return *stem_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  // Policy and value channels, as floats.
  const Convolution& head_convolution() const { return *head_convolution_; }
  const Heads& heads() const { return heads_; }
  // Of the hungriest convolution, in bytes.
  size_t scratchpad_size() const;

 private:
  PackedNetwork(const NetworkWeights& network, CpuPrecision precision);
  absl::Status AddFloatLayers(const dnnl::engine& engine, const NetworkWeights& network);
  absl::Status AddInt8Layers(const dnnl::engine& engine, const NetworkWeights& network);

  Architecture architecture_;
  CpuPrecision precision_;
  Number number_;
  Heads heads_;
  std::optional<Convolution> stem_;
  std::vector<Block> blocks_;
  std::optional<Convolution> head_convolution_;
};

}  // namespace chuhe
