#include "tests/nets/cuda/answers_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/random.h"
#include "gtest/gtest.h"
#include "nets/weights/tensors.h"

namespace chuhe {
namespace {

// From −1 to 1.
float Fraction(Random* random) { return static_cast<float>(random->Below(4001)) / 2000 - 1; }

}  // namespace

NetworkWeights LivelyNetwork(const Architecture& architecture, uint64_t seed) {
  NetworkWeights network;
  network.architecture = architecture;
  SetBlockCount(TensorGroup::kWeights, &network);
  for (const Tensor& tensor : ListTensors(TensorGroup::kWeights, &network)) {
    Random random(seed, StreamId(tensor.name));
    // Evenly spread numbers up to sqrt(6 / inputs) keep the mean square through a ReLU.
    const size_t inputs = tensor.size() / static_cast<size_t>(tensor.shape[0]);
    float size = tensor.shape.size() == 1 ? 0.2f : std::sqrt(6.0f / static_cast<float>(inputs));
    if (tensor.name.find("conv2") != std::string::npos) size *= 0.4f;
    tensor.values->resize(tensor.size());
    for (float& value : *tensor.values) value = size * Fraction(&random);
  }
  return network;
}

Differences LargestDifferences(std::span<const EvaluationRequest> answers,
                               std::span<const EvaluationRequest> expected) {
  Differences largest;
  // Not std::max, which would lose a difference that is not a number.
  const auto raise = [](float* largest_yet, float difference) {
    if (!(std::abs(difference) <= *largest_yet)) *largest_yet = std::abs(difference);
  };
  for (size_t i = 0; i < answers.size(); ++i) {
    const EvaluationRequest& a = answers[i];
    const EvaluationRequest& b = expected[i];
    for (int m = 0; m < a.moves.size; ++m) raise(&largest.prior, a.priors[m] - b.priors[m]);
    raise(&largest.wdl, a.wdl.win - b.wdl.win);
    raise(&largest.wdl, a.wdl.draw - b.wdl.draw);
    raise(&largest.wdl, a.wdl.loss - b.wdl.loss);
    raise(&largest.plies_left, a.plies_left / b.plies_left - 1);
  }
  return largest;
}

std::string ToText(const Differences& differences) {
  return "priors " + std::to_string(differences.prior) + ", wdl " +
         std::to_string(differences.wdl) + ", plies left " + std::to_string(differences.plies_left);
}

void ExpectAnswersNear(std::span<const EvaluationRequest> answers,
                       std::span<const EvaluationRequest> expected, const Differences& tolerance) {
  ASSERT_EQ(answers.size(), expected.size());
  for (const EvaluationRequest& answer : answers) {
    ASSERT_NEAR(std::accumulate(answer.priors, answer.priors + answer.moves.size, 0.0), 1, 1e-5);
    ASSERT_NEAR(answer.wdl.win + answer.wdl.draw + answer.wdl.loss, 1, 1e-5);
  }
  const Differences largest = LargestDifferences(answers, expected);
  EXPECT_LE(largest.prior, tolerance.prior) << ToText(largest);
  EXPECT_LE(largest.wdl, tolerance.wdl) << ToText(largest);
  EXPECT_LE(largest.plies_left, tolerance.plies_left) << ToText(largest);
}

}  // namespace chuhe
