#include "nets/onednn/heads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/base/random.h"
#include "engine/board/movegen.h"

namespace chuhe {
namespace {

std::vector<double> ExactSoftmax(const std::vector<float>& logits) {
  const double max = *std::max_element(logits.begin(), logits.end());
  std::vector<double> result;
  double sum = 0;
  for (const float logit : logits) sum += result.emplace_back(std::exp(logit - max));
  for (double& value : result) value /= sum;
  return result;
}

TEST(SoftmaxTest, IsWithinAMillionthOfTheExactOne) {
  Random random(1);
  for (int size = 1; size <= kMaxMoves; ++size) {
    for (const float reach : {0.1f, 3.0f, 30.0f, 300.0f}) {
      std::vector<float> logits(size);
      for (float& logit : logits) {
        logit = reach * static_cast<float>(2 * random.UniformDouble() - 1);
      }
      const std::vector<double> exact = ExactSoftmax(logits);
      SoftmaxInPlace(logits.data(), size);
      for (int i = 0; i < size; ++i) ASSERT_NEAR(logits[i], exact[i], 1e-6) << size << " " << reach;
    }
  }
}

TEST(SoftmaxTest, StandsLargeLogits) {
  std::vector<float> logits = {1e30f, -1e30f, 1e30f};
  SoftmaxInPlace(logits.data(), 3);
  EXPECT_FLOAT_EQ(logits[0], 0.5f);
  EXPECT_NEAR(logits[1], 0, 1e-30);
  EXPECT_FLOAT_EQ(logits[2], 0.5f);
}

TEST(SoftmaxTest, OneMoveIsCertain) {
  float logit = -123;
  SoftmaxInPlace(&logit, 1);
  EXPECT_EQ(logit, 1);
}

}  // namespace
}  // namespace chuhe
