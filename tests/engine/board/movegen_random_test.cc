// More than a million positions against the reference; several plans, so that they can run beside
// each other.
#include <gtest/gtest.h>

#include "tests/engine/board/movegen_comparison.h"

namespace chuhe {
namespace {

TEST(MovegenRandomTest, AgreesWithReferenceInRandomPlay) {
  CompareWithReference({.seed = 1, .positions = 250'000, .style = PlayStyle::kUniform});
}

TEST(MovegenRandomTest, AgreesWithReferenceInCaptureHeavyPlay) {
  CompareWithReference({.seed = 2, .positions = 250'000, .style = PlayStyle::kCaptureHunter});
}

TEST(MovegenRandomTest, AgreesWithReferenceInCheckHeavyPlay) {
  CompareWithReference({.seed = 3, .positions = 250'000, .style = PlayStyle::kCheckHunter});
}

TEST(MovegenRandomTest, AgreesWithReferenceInComposedPositions) {
  CompareWithReference(
      {.seed = 4, .positions = 250'000, .style = PlayStyle::kMixed, .composed = true});
}

TEST(MovegenRandomTest, AgreesWithReferenceInComposedPositionsFullOfChecks) {
  CompareWithReference(
      {.seed = 5, .positions = 250'000, .style = PlayStyle::kCheckHunter, .composed = true});
}

}  // namespace
}  // namespace chuhe
