#include "nets/onednn/quantise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace chuhe {
namespace {

constexpr float kMaxLevel = 255;

// A channel that was silent in calibration gets this part of the mean reach, so that it is not cut
// off where it speaks after all.
constexpr float kLeastReach = 1.0f / 16;

float Mean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0f) / static_cast<float>(values.size());
}

// Reaches that are all above zero.
std::vector<float> Floored(std::vector<float> reach) {
  const float least = std::max(kLeastReach * Mean(reach), 1e-6f);
  for (float& value : reach) value = std::max(value, least);
  return reach;
}

std::vector<float> Times(std::vector<float> values, float factor) {
  for (float& value : values) value *= factor;
  return values;
}

// Rounds a row of weights to integers within ±max_weight, each to one of its two neighbours, so
// that their sum is kept to half a unit. Levels are not negative and much alike in their means, so
// an error of the sum would shift an output on the whole board; what is left beside it is noise.
void RoundRow(const std::vector<float>& row, int max_weight, int8_t* rounded) {
  std::vector<float> left(row.size());  // what rounding took away
  float sum = 0;
  for (size_t i = 0; i < row.size(); ++i) {
    rounded[i] = static_cast<int8_t>(std::lrint(row[i]));
    left[i] = row[i] - static_cast<float>(rounded[i]);
    sum += left[i];
  }
  while (std::abs(sum) > 0.5f) {
    const int step = sum > 0 ? 1 : -1;
    const auto gain = [&](size_t i) { return left[i] * static_cast<float>(step); };
    size_t best = row.size();
    for (size_t i = 0; i < row.size(); ++i) {
      if (gain(i) <= 0 || std::abs(rounded[i] + step) > max_weight) continue;
      if (best == row.size() || gain(i) > gain(best)) best = i;
    }
    if (best == row.size()) return;
    rounded[best] = static_cast<int8_t>(rounded[best] + step);
    left[best] -= static_cast<float>(step);
    sum -= static_cast<float>(step);
  }
}

}  // namespace

ActivationScales::ActivationScales(const Calibration& calibration) {
  for (const Calibration::Block& block : calibration.blocks) {
    inner.push_back(Times(Floored(block.inner), 1 / kMaxLevel));
  }
  std::vector<std::vector<float>> reach = {Floored(calibration.stem)};
  for (const Calibration::Block& block : calibration.blocks) reach.push_back(Floored(block.output));
  // The common shape is the greatest of each channel, each output measured by its own mean.
  std::vector<float> shape(calibration.stem.size());
  for (const std::vector<float>& output : reach) {
    const float mean = Mean(output);
    for (size_t i = 0; i < shape.size(); ++i) shape[i] = std::max(shape[i], output[i] / mean);
  }
  for (const std::vector<float>& output : reach) {
    residual.push_back(Times(shape, Mean(output) / kMaxLevel));
    residual_growth.push_back(Mean(output) / Mean(reach.front()));
  }
}

QuantisedConvolution Quantise(const ConvWeights& conv, std::span<const float> input_scales,
                              std::span<const float> output_scales, int max_weight) {
  const size_t outputs = conv.bias.size();
  const size_t inputs = input_scales.size();
  const size_t taps = conv.weight.size() / outputs / inputs;
  QuantisedConvolution result{.weight = std::vector<int8_t>(conv.weight.size()),
                              .bias = conv.bias,
                              .output_scales = std::vector<float>(outputs)};
  std::vector<float> row(inputs * taps);
  for (size_t out = 0; out < outputs; ++out) {
    float reach = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = conv.weight[out * row.size() + i] * input_scales[i / taps];
      reach = std::max(reach, std::abs(row[i]));
    }
    // A row of zeros leaves the bias alone, in units that keep it within a float's reach.
    const float step = std::max(reach / static_cast<float>(max_weight), 1e-12f);
    for (float& weight : row) weight /= step;
    RoundRow(row, max_weight, &result.weight[out * row.size()]);
    result.bias[out] /= step;
    result.output_scales[out] = output_scales.empty() ? step : step / output_scales[out];
  }
  return result;
}

}  // namespace chuhe
