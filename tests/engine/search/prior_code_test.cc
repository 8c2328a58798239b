#include "engine/search/prior_code.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/random.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(PriorCodeTest, EveryPriorComesBackToOneThirtySecondOfItself) {
  for (int prior = 1; prior <= 65535; ++prior) {
    const uint8_t code = EncodePrior(static_cast<uint16_t>(prior));
    EXPECT_GT(code, 0) << prior;
    const int error = std::abs(DecodePrior(code) - prior);
    EXPECT_LE(32 * error, prior) << prior;
    if (prior <= 32 || prior == 65535) {
      EXPECT_EQ(error, 0) << prior;
    }
  }
  EXPECT_EQ(EncodePrior(0), 0);
  EXPECT_EQ(DecodePrior(0), 0);
}

TEST(PriorCodeTest, CodesAreInTheOrderOfTheirPriorsAndSurviveDecoding) {
  const int last = EncodePrior(65535);
  for (int code = 1; code <= last; ++code) {
    const uint16_t prior = DecodePrior(static_cast<uint8_t>(code));
    EXPECT_GT(prior, DecodePrior(static_cast<uint8_t>(code - 1)));
    EXPECT_EQ(EncodePrior(prior), code);
  }
  for (int prior = 1; prior <= 65535; ++prior) {
    EXPECT_GE(EncodePrior(static_cast<uint16_t>(prior)),
              EncodePrior(static_cast<uint16_t>(prior - 1)));
  }
}

// Priors of every size, as networks have them, and what is none.
std::vector<float> RandomPriors(size_t count, Random* random) {
  std::vector<float> priors;
  for (size_t i = 0; i < count; ++i) {
    priors.push_back(static_cast<float>(std::exp(-14 * random->UniformDouble())));
  }
  const std::vector<float> odd = {0.0f, 1.0f, 1.5f, -0.25f, 1e-30f, 1.0f / 65535};
  if (count > 0) priors[random->Below(count)] = odd[random->Below(odd.size())];
  return priors;
}

TEST(PriorCodeTest, ManyAtOnceAreCodedAsOneByOne) {
  Random random(1);
  for (size_t count = 0; count <= 116; ++count) {
    for (int round = 0; round < 20; ++round) {
      const std::vector<float> priors = RandomPriors(count, &random);
      std::vector<uint8_t> codes(count + 1, 77);
      EncodePriors(priors, codes.data());
      EXPECT_EQ(codes.back(), 77);  // nothing is written behind them
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(codes[i], EncodePrior(QuantizePrior(priors[i]))) << priors[i];
      }
    }
  }
}

TEST(PriorCodeTest, TheHighestCodeIsTheFirstOfEqualOnes) {
  Random random(2);
  for (size_t count = 1; count <= 116; ++count) {
    for (const uint64_t different : {1, 3, 256}) {
      std::vector<uint8_t> codes(count);
      for (uint8_t& code : codes) code = static_cast<uint8_t>(random.Below(different));
      EXPECT_EQ(FindHighestCode(codes),
                static_cast<size_t>(std::max_element(codes.begin(), codes.end()) - codes.begin()));
    }
  }
}

}  // namespace
}  // namespace chuhe
