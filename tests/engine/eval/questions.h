// Questions to evaluators, and an evaluator that looks at all of them, for the tests of
// engine/eval.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/eval/evaluator.h"

namespace chuhe {

// The positions of random games, with their histories.
std::vector<EvaluationRequest> RandomRequests(int count, uint64_t seed = 3);

// Fails the test where the answers are not the same, bit for bit, to the same questions.
void ExpectSameAnswers(std::span<const EvaluationRequest> requests,
                       std::span<const EvaluationRequest> expected);

// Answers by a hash of everything that a question says, point by point: a wrong look-up shows.
class WholeQuestionEvaluator : public Evaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override;
};

}  // namespace chuhe
