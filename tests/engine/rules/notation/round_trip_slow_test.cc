#include "gtest/gtest.h"
#include "tests/engine/rules/notation/round_trip.h"

namespace chuhe {
namespace {

TEST(RoundTripSlowTest, RandomPlay) { ExpectRoundTripsInRandomPlay(3, 120'000); }

TEST(RoundTripSlowTest, ComposedPositions) { ExpectRoundTripsInComposedPositions(4, 80'000); }

}  // namespace
}  // namespace chuhe
