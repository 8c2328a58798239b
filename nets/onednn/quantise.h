// From floats to 8 bits: scales by channel for the values between the layers, and weights that take
// the scales of their inputs in.
//
// A level q (0–255) of channel c stands for q · scale[c]. A convolution sums weight · level in
// integers; the scales of its inputs are folded into its weights, those of its outputs into the
// factor that takes the sum back to levels, so that no scale costs anything at run time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nets/weights/network_weights.h"

namespace chuhe {

// Scales by channel. The residual sum adds the levels of two blocks after one common factor, so the
// scales of all block outputs have the same shape over the channels: those of output b are
// those of output 0 times residual_growth[b] (output 0 is the stem's).
struct ActivationScales {
  std::vector<std::vector<float>> inner;     // of each block
  std::vector<std::vector<float>> residual;  // of the stem and of each block's output
  std::vector<float> residual_growth;

  explicit ActivationScales(const Calibration& calibration);
};

// An 8-bit convolution: outputs (or levels) = output_scales · (sum of weight · level + bias).
struct QuantisedConvolution {
  std::vector<int8_t> weight;  // [out][in][kernel][kernel]
  std::vector<float> bias;     // in units of the integer sum
  std::vector<float> output_scales;
};

// `input_scales` by input channel; `output_scales` by output channel, or empty where the outputs
// are plain floats. Weights reach ±max_weight.
QuantisedConvolution Quantise(const ConvWeights& conv, std::span<const float> input_scales,
                              std::span<const float> output_scales, int max_weight);

}  // namespace chuhe
