#include "nets/onednn/heads.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "nets/features/policy.h"
#include "nets/onednn/lanes.h"

namespace chuhe {
namespace {

// e^x for −87 ≤ x ≤ 0, to about the last bit of a float. Without branches and calls, so that loops
// over it vectorise. x = n · ln 2 + r with |r| ≤ ln 2 / 2; e^r by its Taylor polynomial, whose next
// term is below 2^-26 there.
inline float Exp(float x) {
  constexpr float kLog2E = 1.44269504f;
  // ln 2 in two parts: n times the first one is exact.
  constexpr float kLn2High = 0.693359375f;
  constexpr float kLn2Low = -2.12194440e-4f;
  // Adding and taking away 1.5 · 2^23 rounds to an integer, which is then in the low bits.
  constexpr float kRounder = 12582912.0f;
  const float rounded = x * kLog2E + kRounder;
  const float n = rounded - kRounder;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float power = 1.0f / 5040;
  power = power * r + 1.0f / 720;
  power = power * r + 1.0f / 120;
  power = power * r + 1.0f / 24;
  power = power * r + 1.0f / 6;
  power = power * r + 0.5f;
  power = power * r + 1;
  power = power * r + 1;
  const int exponent = std::bit_cast<int>(rounded) - std::bit_cast<int>(kRounder);
  return std::bit_cast<float>(std::bit_cast<int>(power) + exponent * (1 << 23));
}

float Dot(const float* a, const float* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += double{a[i]} * b[i];
  return static_cast<float>(sum);
}

}  // namespace

void SoftmaxInPlace(float* logits, int count) {
  constexpr float kLeast = -87;  // smaller priors than e^-87 are none
  const float max = *std::max_element(logits, logits + count);
  float sums[kLanes] = {};
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const float power = Exp(std::max(logits[i + lane] - max, kLeast));
      logits[i + lane] = power;
      sums[lane] += power;
    }
  }
  for (; i < count; ++i) {
    logits[i] = Exp(std::max(logits[i] - max, kLeast));
    sums[0] += logits[i];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  const float scale = 1 / sum;
  for (i = 0; i < count; ++i) logits[i] *= scale;
}

Heads::Heads(const NetworkWeights& network, DenseLayer::Storage storage)
    : policy_channels_(network.architecture.policy_channels),
      value_channels_(network.architecture.value_channels),
      policy_from_(network.policy_from),
      policy_to_(network.policy_to),
      policy_bias_(network.policy_bias),
      hidden_(network.value_hidden.weight, network.value_hidden.bias, storage),
      wdl_(network.wdl),
      plies_left_(network.plies_left) {}

void Heads::RunHidden(const float* map, int count, Workspace* workspace) const {
  workspace->value.resize(static_cast<size_t>(count) * hidden_.inputs());
  workspace->hidden.resize(static_cast<size_t>(count) * hidden_.padded_outputs());
  float* value = workspace->value.data();
  for (int point = 0; point < count * kSquares; ++point) {
    std::copy_n(map + point * channels() + policy_channels_, value_channels_,
                value + point * value_channels_);
  }
  hidden_.Run(value, workspace->hidden.data(), count);
}

size_t Heads::HiddenSums(const float* map, int count, std::vector<float>* hidden) const {
  Workspace workspace;
  RunHidden(map, count, &workspace);
  *hidden = std::move(workspace.hidden);
  return static_cast<size_t>(hidden_.padded_outputs());
}

void Heads::Answer(const float* map, std::span<EvaluationRequest> requests,
                   Workspace* workspace) const {
  const int count = static_cast<int>(requests.size());
  RunHidden(map, count, workspace);
  for (int i = 0; i < count; ++i) {
    AnswerPolicy(map + i * kSquares * channels(), &requests[i]);
    AnswerValue(&workspace->hidden[static_cast<size_t>(i) * hidden_.padded_outputs()],
                &requests[i]);
  }
}

void Heads::AnswerPolicy(const float* map, EvaluationRequest* request) const {
  const Color side = request->position.side_to_move();
  for (int i = 0; i < request->moves.size; ++i) {
    const Move seen = SeenBy(side, request->moves[i]);
    const int shape = MoveShape(seen);
    const float* from = map + seen.from() * channels();
    const float* to = map + seen.to() * channels();
    const float* from_weights = &policy_from_[shape * policy_channels_];
    const float* to_weights = &policy_to_[shape * policy_channels_];
    // Policy channels are a multiple of 16.
    Lanes sums[2] = {};
    for (int c = 0; c < policy_channels_; c += 2 * kLanes) {
      for (int half = 0; half < 2; ++half) {
        const int at = c + half * kLanes;
        Lanes a, b;
        LoadLanes(from + at, &a);
        LoadLanes(from_weights + at, &b);
        sums[half] += a * b;
        LoadLanes(to + at, &a);
        LoadLanes(to_weights + at, &b);
        sums[half] += a * b;
      }
    }
    request->priors[i] = policy_bias_[shape] + (SumOfLanes(sums[0]) + SumOfLanes(sums[1]));
  }
  SoftmaxInPlace(request->priors, request->moves.size);
}

void Heads::AnswerValue(const float* hidden, EvaluationRequest* request) const {
  const int size = hidden_.outputs();
  float relu[1024];
  for (int i = 0; i < size; ++i) relu[i] = std::max(hidden[i], 0.0f);
  float wdl[3];
  for (int i = 0; i < 3; ++i) wdl[i] = wdl_.bias[i] + Dot(&wdl_.weight[i * size], relu, size);
  SoftmaxInPlace(wdl, 3);
  request->wdl = {wdl[0], wdl[1], wdl[2]};
  const float raw = plies_left_.bias[0] + Dot(plies_left_.weight.data(), relu, size);
  // softplus, without overflow
  request->plies_left =
      kPliesLeftUnit * (std::max(raw, 0.0f) + std::log1p(std::exp(-std::abs(raw))));
}

}  // namespace chuhe
