// The short form of movegen_random_test: 20,000 positions against the reference.
#include <gtest/gtest.h>

#include "tests/engine/board/movegen_comparison.h"

namespace chuhe {
namespace {

TEST(MovegenSampleTest, AgreesWithReferenceInPlay) {
  CompareWithReference({.seed = 11, .positions = 3'000, .style = PlayStyle::kUniform});
  CompareWithReference({.seed = 12, .positions = 3'000, .style = PlayStyle::kCaptureHunter});
  CompareWithReference({.seed = 13, .positions = 4'000, .style = PlayStyle::kCheckHunter});
}

TEST(MovegenSampleTest, AgreesWithReferenceInComposedPositions) {
  CompareWithReference(
      {.seed = 14, .positions = 10'000, .style = PlayStyle::kMixed, .composed = true});
}

}  // namespace
}  // namespace chuhe
