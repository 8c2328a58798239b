#include "nets/cuda/batch_layout.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/cuda/batch_buckets.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;

TEST(BatchBucketsTest, DoubleUpToTheLargestBatch) {
  EXPECT_THAT(BatchBuckets(1), ElementsAre(1));
  EXPECT_THAT(BatchBuckets(2), ElementsAre(1, 2));
  EXPECT_THAT(BatchBuckets(12), ElementsAre(1, 2, 4, 8, 12));
  EXPECT_THAT(BatchBuckets(64), ElementsAre(1, 2, 4, 8, 16, 32, 64));
}

TEST(BatchBucketsTest, HaveHalfWaySizesWhereTheDeviceIsBusy) {
  EXPECT_THAT(BatchBuckets(256), ElementsAre(1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256));
  EXPECT_THAT(BatchBuckets(96), ElementsAre(1, 2, 4, 8, 16, 32, 64, 96));
  EXPECT_THAT(BatchBuckets(97), ElementsAre(1, 2, 4, 8, 16, 32, 64, 96, 97));
}

TEST(BatchBucketsTest, EverySizeGoesToTheSmallestThatHoldsIt) {
  const std::vector<int> buckets = BatchBuckets(200);
  for (int count = 1; count <= 200; ++count) {
    const int index = BucketFor(buckets, count);
    EXPECT_GE(buckets[index], count);
    if (index > 0) {
      EXPECT_LT(buckets[index - 1], count);
    }
  }
}

TEST(BatchLayoutTest, PartsFollowEachOtherWithoutGaps) {
  const BatchLayout layout(3);
  EXPECT_EQ(layout.offsets(), 3u * 48);
  EXPECT_EQ(layout.moves(), 3u * 48 + 4 * 4);
  EXPECT_EQ(layout.input_bytes(0), 3u * 48 + 4 * 4);
  EXPECT_EQ(layout.input_bytes(100), 3u * 48 + 4 * 4 + 100 * 2);
  EXPECT_EQ(layout.priors(), 3u * 16);
  EXPECT_EQ(layout.output_bytes(100), 3u * 16 + 100 * 4);
  EXPECT_EQ(layout.max_moves(), 3u * 116);
}

TEST(BatchLayoutTest, PartsAreAlignedForTheirNumbers) {
  for (int rows = 1; rows < 70; ++rows) {
    const BatchLayout layout(rows);
    EXPECT_EQ(layout.offsets() % 4, 0u);
    EXPECT_EQ(layout.moves() % 2, 0u);
    EXPECT_EQ(layout.priors() % 4, 0u);
  }
}

}  // namespace
}  // namespace chuhe
