#include "nets/reference/reference_evaluator.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"

namespace chuhe {
namespace {

// Replaces logits by their softmax.
void Softmax(std::span<float> logits) {
  const float max = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(double{logit} - max);
  for (float& logit : logits) logit = static_cast<float>(std::exp(double{logit} - max) / sum);
}

}  // namespace

void ReferenceEvaluator::Evaluate(std::span<EvaluationRequest> requests) {
  std::vector<uint8_t> levels(static_cast<size_t>(kSquares) * kPlanes);
  for (EvaluationRequest& request : requests) {
    ExpandPlanes(Pack(request), levels.data());
    const ForwardPass pass = network_.Run(levels.data());
    const Color side = request.position.side_to_move();
    for (int i = 0; i < request.moves.size; ++i) {
      request.priors[i] = network_.PolicyLogit(pass, SeenBy(side, request.moves[i]));
    }
    Softmax({request.priors, static_cast<size_t>(request.moves.size)});
    float wdl[3];
    std::copy_n(pass.wdl_logits, 3, wdl);
    Softmax(wdl);
    request.wdl = {wdl[0], wdl[1], wdl[2]};
    request.plies_left = pass.plies_left;
  }
}

}  // namespace chuhe
