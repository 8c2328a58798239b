#include "nets/onednn/quantise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nets/onednn/convolution.h"

namespace chuhe {
namespace {

TEST(QuantiseTest, WeightsAreWithinAStep) {
  const ConvWeights conv{.weight = {0.5f, -1.0f, 0.25f, 3.0f, 0.1f, -0.2f}, .bias = {1.0f, -2.0f}};
  const std::vector<float> input_scales = {0.01f, 0.02f, 0.5f};
  for (const int max_weight : {127, 64}) {
    const QuantisedConvolution quantised = Quantise(conv, input_scales, {}, max_weight);
    for (int out = 0; out < 2; ++out) {
      const float step = quantised.output_scales[out];
      int greatest = 0;
      for (int in = 0; in < 3; ++in) {
        const int i = out * 3 + in;
        EXPECT_NEAR(quantised.weight[i] * step, conv.weight[i] * input_scales[in], step * 1.001f);
        greatest = std::max(greatest, std::abs(int{quantised.weight[i]}));
      }
      EXPECT_EQ(greatest, max_weight);
      EXPECT_FLOAT_EQ(quantised.bias[out] * step, conv.bias[out]);
    }
  }
}

TEST(QuantiseTest, KeepsTheSumOfEachRow) {
  constexpr int kInputs = 200;
  ConvWeights conv{.weight = std::vector<float>(kInputs), .bias = {0.0f}};
  // All would be rounded down: 0.4 units each.
  for (float& weight : conv.weight) weight = 10.4f;
  conv.weight[0] = 127;
  const std::vector<float> input_scales(kInputs, 1.0f);
  const QuantisedConvolution quantised = Quantise(conv, input_scales, {}, 127);
  EXPECT_NEAR(std::accumulate(quantised.weight.begin(), quantised.weight.end(), 0),
              std::accumulate(conv.weight.begin(), conv.weight.end(), 0.0f), 0.51f);
  EXPECT_EQ(quantised.weight[0], 127);
}

TEST(QuantiseTest, OutputScalesTurnSumsIntoLevels) {
  const ConvWeights conv{.weight = {2.0f}, .bias = {10.0f}};
  const std::vector<float> input_scales = {0.5f};
  const std::vector<float> output_scales = {0.25f};
  const QuantisedConvolution quantised = Quantise(conv, input_scales, output_scales, 127);
  // Level 40 is 20, times 2 plus 10 is 50, which is level 200.
  const float sum = 40.0f * quantised.weight[0] + quantised.bias[0];
  EXPECT_NEAR(quantised.output_scales[0] * sum, 200, 1e-3);
}

TEST(QuantiseTest, RowOfZerosKeepsItsBias) {
  const ConvWeights conv{.weight = {0.0f, 0.0f}, .bias = {7.0f}};
  const std::vector<float> input_scales = {1.0f, 1.0f};
  const QuantisedConvolution quantised = Quantise(conv, input_scales, {}, 127);
  EXPECT_NEAR(quantised.output_scales[0] * quantised.bias[0], 7, 1e-4);
}

TEST(ActivationScalesTest, CoverWhatWasReachedAndKeepOneShape) {
  const Calibration calibration{.stem = {1, 4, 2},
                                .blocks = {{.inner = {1, 2, 3}, .output = {2, 6, 8}},
                                           {.inner = {5, 0, 9}, .output = {9, 1, 30}}}};
  const ActivationScales scales(calibration);
  const std::vector<std::vector<float>> reached = {{1, 4, 2}, {2, 6, 8}, {9, 1, 30}};
  for (size_t i = 0; i < reached.size(); ++i) {
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_GE(scales.residual[i][c] * 255.001f, reached[i][c]);
      EXPECT_FLOAT_EQ(scales.residual[i][c], scales.residual[0][c] * scales.residual_growth[i]);
    }
  }
  EXPECT_FLOAT_EQ(scales.inner[1][0], 5.0f / 255);
  EXPECT_GT(scales.inner[1][1], 0) << "a silent channel still has a scale";
}

}  // namespace
}  // namespace chuhe
