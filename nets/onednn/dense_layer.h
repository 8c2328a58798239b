// Matrix times vector for the small layers behind the tower, where a call of oneDNN would cost more
// than the work.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace chuhe {

// Immutable, thread-safe.
class DenseLayer {
 public:
  enum class Storage {
    kFloat32,
    kBfloat16,  // half the memory to read; sums are floats all the same
  };

  DenseLayer() = default;
  // `weights` are [out][in] with one row for each bias.
  DenseLayer(std::span<const float> weights, std::span<const float> bias, Storage storage);

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  // Outputs rounded up: how much room a result needs.
  int padded_outputs() const { return (outputs_ + kRows - 1) / kRows * kRows; }

  // results[i · padded_outputs()…] = bias + weights · vectors[i · inputs()…] for `count` vectors.
  // Each result depends on its vector alone, to the last bit.
  void Run(const float* vectors, float* results, int count) const;

 private:
  static constexpr int kRows = 64;

  template <typename Word>
  void RunOne(const std::vector<Word>& weights, const float* vector, float* result) const;

  int inputs_ = 0;
  int outputs_ = 0;
  std::vector<float> bias_;  // padded
  // [out / kRows][in][kRows], one of the two. A word of the second is two bfloat16 numbers, of
  // outputs that are kLanes apart, so that a shift or a mask makes a float of either.
  std::vector<float> weights_;
  std::vector<uint32_t> weight_pairs_;
};

}  // namespace chuhe
