#include "nets/reference/reference_network.h"

#include <algorithm>
#include <cmath>

#include "nets/features/planes.h"
#include "nets/features/policy.h"

namespace chuhe {
namespace {

void Relu(std::vector<float>* values) {
  for (float& value : *values) value = std::max(value, 0.0f);
}

// A convolution with zero padding and bias, without ReLU. The innermost loop runs over the outputs
// so that it vectorises; for that the weights of one tap are turned to [in][out] first.
std::vector<float> Convolve(const ConvWeights& conv, int kernel, const std::vector<float>& source) {
  const int outputs = static_cast<int>(conv.bias.size());
  const int inputs = static_cast<int>(source.size()) / kSquares;
  const int reach = kernel / 2;
  std::vector<float> result(static_cast<size_t>(kSquares) * outputs);
  for (Square square = 0; square < kSquares; ++square) {
    std::copy(conv.bias.begin(), conv.bias.end(), result.begin() + square * outputs);
  }
  std::vector<float> tap(static_cast<size_t>(inputs) * outputs);
  for (int row = 0; row < kernel; ++row) {
    for (int column = 0; column < kernel; ++column) {
      for (int in = 0; in < inputs; ++in) {
        for (int out = 0; out < outputs; ++out) {
          tap[in * outputs + out] =
              conv.weight[((out * inputs + in) * kernel + row) * kernel + column];
        }
      }
      for (Square square = 0; square < kSquares; ++square) {
        const int from_rank = RankOf(square) + row - reach;
        const int from_file = FileOf(square) + column - reach;
        if (from_rank < 0 || from_rank >= kRanks || from_file < 0 || from_file >= kFiles) continue;
        const float* from = &source[(from_rank * kFiles + from_file) * inputs];
        float* to = &result[square * outputs];
        for (int in = 0; in < inputs; ++in) {
          for (int out = 0; out < outputs; ++out) to[out] += from[in] * tap[in * outputs + out];
        }
      }
    }
  }
  return result;
}

// The mean over the points, by channel.
std::vector<float> Mean(const std::vector<float>& map) {
  const size_t channels = map.size() / kSquares;
  std::vector<float> mean(channels);
  for (size_t i = 0; i < map.size(); ++i) mean[i % channels] += map[i] / kSquares;
  return mean;
}

// One row of a matrix times a vector.
float Dot(const float* row, const std::vector<float>& vector) {
  double sum = 0;
  for (size_t i = 0; i < vector.size(); ++i) sum += double{row[i]} * vector[i];
  return static_cast<float>(sum);
}

std::vector<float> Linear(const LinearWeights& linear, const std::vector<float>& vector) {
  std::vector<float> result = linear.bias;
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] += Dot(&linear.weight[i * vector.size()], vector);
  }
  return result;
}

ForwardPass::Block RunBlock(const BlockWeights& block, const std::vector<float>& x) {
  ForwardPass::Block result;
  result.inner = Convolve(block.conv1, 3, x);
  if (!block.global.empty()) {
    const std::vector<float> mean = Mean(x);
    const std::vector<float> added = Linear({block.global, std::vector<float>(mean.size())}, mean);
    for (size_t i = 0; i < result.inner.size(); ++i) result.inner[i] += added[i % added.size()];
  }
  Relu(&result.inner);
  result.output = Convolve(block.conv2, 3, result.inner);
  for (size_t i = 0; i < x.size(); ++i) result.output[i] += x[i];
  Relu(&result.output);
  return result;
}

}  // namespace

ForwardPass ReferenceNetwork::Run(const uint8_t* levels) const {
  std::vector<float> planes(static_cast<size_t>(kSquares) * kPlanes);
  for (size_t i = 0; i < planes.size(); ++i) planes[i] = static_cast<float>(levels[i]) / kLevelOne;

  ForwardPass pass;
  pass.stem = Convolve(weights_.stem, 3, planes);
  Relu(&pass.stem);
  for (const BlockWeights& block : weights_.blocks) {
    pass.blocks.push_back(
        RunBlock(block, pass.blocks.empty() ? pass.stem : pass.blocks.back().output));
  }
  const std::vector<float>& x = pass.blocks.empty() ? pass.stem : pass.blocks.back().output;
  pass.policy = Convolve(weights_.policy_conv, 1, x);
  Relu(&pass.policy);
  pass.value = Convolve(weights_.value_conv, 1, x);
  Relu(&pass.value);
  pass.hidden = Linear(weights_.value_hidden, pass.value);
  Relu(&pass.hidden);
  const std::vector<float> wdl = Linear(weights_.wdl, pass.hidden);
  std::copy(wdl.begin(), wdl.end(), pass.wdl_logits);
  const float raw = Linear(weights_.plies_left, pass.hidden)[0];
  // softplus, without overflow
  pass.plies_left = kPliesLeftUnit * (std::max(raw, 0.0f) + std::log1p(std::exp(-std::abs(raw))));
  return pass;
}

float ReferenceNetwork::PolicyLogit(const ForwardPass& pass, Move seen) const {
  const int channels = weights_.architecture.policy_channels;
  const int shape = MoveShape(seen);
  const float* from = &pass.policy[seen.from() * channels];
  const float* to = &pass.policy[seen.to() * channels];
  double logit = weights_.policy_bias[shape];
  for (int i = 0; i < channels; ++i) {
    logit += double{weights_.policy_from[shape * channels + i]} * from[i] +
             double{weights_.policy_to[shape * channels + i]} * to[i];
  }
  return static_cast<float>(logit);
}

}  // namespace chuhe
