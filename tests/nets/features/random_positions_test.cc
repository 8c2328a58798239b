#include "nets/features/random_positions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/board/types.h"

namespace chuhe {
namespace {

TEST(RandomPositionsTest, AreAsManyAsAskedAndTheSameForASeed) {
  const std::vector<PackedPosition> positions = RandomPositions(100, 1);
  EXPECT_EQ(positions.size(), 100);
  EXPECT_EQ(positions, RandomPositions(100, 1));
  EXPECT_NE(positions, RandomPositions(100, 2));
  int captured = 0;
  for (const PackedPosition& position : positions) {
    captured +=
        static_cast<int>(std::count(position.squares, position.squares + kUnits, kNoSquare));
  }
  EXPECT_GT(captured, 100) << "positions of later plies occur too";
}

}  // namespace
}  // namespace chuhe
