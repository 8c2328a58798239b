#include "selfplay/play/root_noise.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(RootNoiseTest, GammaSamplesHaveTheirMeanAndVariance) {
  Random random(1);
  for (const double shape : {0.1, 0.7, 1.0, 3.5}) {
    constexpr int kSamples = 20'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kSamples; ++i) {
      const double x = SampleGamma(shape, &random);
      ASSERT_GE(x, 0);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kSamples;
    // Both are the shape; five standard errors are allowed.
    EXPECT_NEAR(mean, shape, 5 * std::sqrt(shape / kSamples)) << shape;
    EXPECT_NEAR(squares / kSamples - mean * mean, shape, 0.15 * shape + 0.02) << shape;
  }
}

TEST(RootNoiseTest, PriorsStillSumToOneAndKeepTheirShare) {
  Random random(2);
  std::vector<float> priors = {0.6f, 0.3f, 0.1f};
  AddRootNoise(priors, 0.25, 10, &random);
  EXPECT_NEAR(std::accumulate(priors.begin(), priors.end(), 0.0), 1, 1e-5);
  EXPECT_GE(priors[0], 0.75f * 0.6f - 1e-6f);
  EXPECT_GE(priors[1], 0.75f * 0.3f - 1e-6f);
  EXPECT_GE(priors[2], 0.75f * 0.1f - 1e-6f);
}

TEST(RootNoiseTest, MovesThatTheNetworkConsidersGetMoreOfTheNoise) {
  Random random(3);
  double likely = 0;
  double unlikely = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<float> priors(40, 0.0001f);
    priors[0] = 0.9f;
    priors[1] = 0.02f;
    AddRootNoise(priors, 1, 10, &random);
    likely += priors[1];
    unlikely += priors[2];
  }
  EXPECT_GT(likely, 5 * unlikely);
  EXPECT_GT(unlikely, 0);
}

}  // namespace
}  // namespace chuhe
