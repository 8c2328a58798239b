#include "nets/onednn/dense_layer.h"

#include <bit>
#include <cassert>
#include <type_traits>

#include "nets/onednn/lanes.h"

namespace chuhe {
namespace {

// To the nearest, halves to even; the weights are finite.
uint32_t ToBfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

// Two vectors of weights from where they are stored.
void LoadTwo(const float* from, Lanes* first, Lanes* second) {
  LoadLanes(from, first);
  LoadLanes(from + kLanes, second);
}
void LoadTwo(const uint32_t* from, Lanes* first, Lanes* second) {
  LoadBfloat16Pairs(from, first, second);
}

}  // namespace

DenseLayer::DenseLayer(std::span<const float> weights, std::span<const float> bias, Storage storage)
    : inputs_(static_cast<int>(weights.size() / bias.size())),
      outputs_(static_cast<int>(bias.size())),
      bias_(bias.begin(), bias.end()) {
  bias_.resize(padded_outputs());
  const size_t size = static_cast<size_t>(padded_outputs()) * inputs_;
  if (storage == Storage::kFloat32) {
    weights_.resize(size);
  } else {
    weight_pairs_.resize(size / 2);
  }
  for (int out = 0; out < outputs_; ++out) {
    for (int in = 0; in < inputs_; ++in) {
      const float weight = weights[static_cast<size_t>(out) * inputs_ + in];
      const size_t column = (static_cast<size_t>(out / kRows) * inputs_ + in) * kRows;
      if (storage == Storage::kFloat32) {
        weights_[column + out % kRows] = weight;
      } else {
        const int pair = out % kRows / (2 * kLanes);
        const int half = out / kLanes % 2;
        weight_pairs_[column / 2 + pair * kLanes + out % kLanes] |= ToBfloat16(weight)
                                                                    << (16 * half);
      }
    }
  }
}

void DenseLayer::Run(const float* vectors, float* results, int count) const {
  for (int i = 0; i < count; ++i) {
    const float* vector = vectors + static_cast<size_t>(i) * inputs_;
    float* result = results + static_cast<size_t>(i) * padded_outputs();
    if (weight_pairs_.empty()) {
      RunOne(weights_, vector, result);
    } else {
      RunOne(weight_pairs_, vector, result);
    }
  }
}

template <typename Word>
void DenseLayer::RunOne(const std::vector<Word>& weights, const float* vector,
                        float* result) const {
  constexpr int kSums = kRows / kLanes;  // they stay in registers
  constexpr int kWordsOfTwo = std::is_same_v<Word, float> ? 2 * kLanes : kLanes;
  for (int row = 0; row < outputs_; row += kRows) {
    Lanes sums[kSums];
    for (int i = 0; i < kSums; ++i) LoadLanes(&bias_[row + i * kLanes], &sums[i]);
    const Word* column = &weights[static_cast<size_t>(row) * inputs_ / (2 * kLanes) * kWordsOfTwo];
    for (int in = 0; in < inputs_; ++in) {
      for (int i = 0; i < kSums; i += 2) {
        Lanes first, second;
        LoadTwo(column, &first, &second);
        column += kWordsOfTwo;
        sums[i] += first * vector[in];
        sums[i + 1] += second * vector[in];
      }
    }
    for (int i = 0; i < kSums; ++i) StoreLanes(sums[i], result + row + i * kLanes);
  }
}

}  // namespace chuhe
