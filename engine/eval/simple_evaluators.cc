#include "engine/eval/simple_evaluators.h"

#include "engine/base/random.h"

namespace chuhe {
namespace {

constexpr float kPliesLeft = 60;

// 0 ≤ fraction < 1 from the upper bits of a hash.
float Fraction(uint64_t hash) { return static_cast<float>(hash >> 40) * 0x1p-24f; }

}  // namespace

void UniformEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  for (EvaluationRequest& request : requests) {
    const float prior = 1.0f / static_cast<float>(request.moves.size);
    for (int i = 0; i < request.moves.size; ++i) request.priors[i] = prior;
    request.wdl = {0, 1, 0};
    request.plies_left = kPliesLeft;
  }
}

void HashEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  for (EvaluationRequest& request : requests) {
    const uint64_t key = request.position.key();
    float sum = 0;
    for (int i = 0; i < request.moves.size; ++i) {
      // Cubes, so that a few moves stand out as with a trained network.
      const uint64_t bits = (key ^ request.moves[i].bits()) * 0x9e3779b97f4a7c15;
      const float x = Fraction(bits ^ bits << 29);
      request.priors[i] = x * x * x + 1e-3f;
      sum += request.priors[i];
    }
    const float scale = 1 / sum;
    for (int i = 0; i < request.moves.size; ++i) request.priors[i] *= scale;
    uint64_t state = key;
    const float value = Fraction(SplitMix64(state)) - 0.5f;
    const float draw = 0.5f * Fraction(SplitMix64(state));
    request.wdl = {(1 - draw + value) / 2, draw, (1 - draw - value) / 2};
    request.plies_left = kPliesLeft * (0.5f + Fraction(SplitMix64(state)));
  }
}

}  // namespace chuhe
