#include "engine/search/transposition_table.h"

#include "engine/base/random.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr size_t kBucketBytes = 64;
const Move kMove(10, 20);

TEST(TranspositionTableTest, GivesBackWhatWasStored) {
  TranspositionTable table(1 << 16);
  EXPECT_FALSE(table.Find(77).has_value());
  table.Store(77, {kMove, -29990, 12, Bound::kLower});
  const auto entry = table.Find(77);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->move, kMove);
  EXPECT_EQ(entry->score, -29990);
  EXPECT_EQ(entry->depth, 12);
  EXPECT_EQ(entry->bound, Bound::kLower);
}

TEST(TranspositionTableTest, DoesNotTakeAnEmptySlotForKeyZero) {
  TranspositionTable table(1 << 10);
  EXPECT_FALSE(table.Find(0).has_value());
}

TEST(TranspositionTableTest, TellsKeysOfOneBucketApart) {
  TranspositionTable table(kBucketBytes);
  table.Store(1, {kMove, 1, 1, Bound::kExact});
  EXPECT_FALSE(table.Find(2).has_value());
}

TEST(TranspositionTableTest, NeverTakesMoreThanItsBytes) {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{64}, size_t{1000}, size_t{1} << 20}) {
    TranspositionTable table(bytes);
    EXPECT_LE(table.bytes(), std::max(bytes, kBucketBytes));
    EXPECT_GT(table.bytes() * 2, bytes);
    const size_t before = table.bytes();
    Random random(1);
    for (int i = 0; i < 20'000; ++i) table.Store(random.Next(), {kMove, 0, 3, Bound::kUpper});
    EXPECT_EQ(table.bytes(), before);
  }
}

TEST(TranspositionTableTest, ReplacesTheShallowestOfABucket) {
  TranspositionTable table(kBucketBytes);
  for (int i = 1; i <= 4; ++i) {
    table.Store(static_cast<uint64_t>(i), {kMove, i, i == 3 ? 2 : 9, Bound::kExact});
  }
  table.Store(5, {kMove, 5, 1, Bound::kExact});
  EXPECT_FALSE(table.Find(3).has_value());
  for (const uint64_t key : {1, 2, 4, 5}) EXPECT_TRUE(table.Find(key).has_value()) << key;
}

TEST(TranspositionTableTest, ReplacesEntriesOfOldSearchesFirst) {
  TranspositionTable table(kBucketBytes);
  table.Store(1, {kMove, 1, 6, Bound::kExact});
  table.NextSearch();
  for (const uint64_t key : {2, 3, 4}) table.Store(key, {kMove, 1, 2, Bound::kExact});
  table.Store(5, {kMove, 5, 1, Bound::kExact});
  EXPECT_FALSE(table.Find(1).has_value());
}

TEST(TranspositionTableTest, KeepsTheMoveWhenNoneIsKnownAnyMore) {
  TranspositionTable table(1 << 10);
  table.Store(9, {kMove, 1, 3, Bound::kLower});
  table.Store(9, {Move(), -5, 4, Bound::kUpper});
  EXPECT_EQ(table.Find(9)->move, kMove);
  EXPECT_EQ(table.Find(9)->score, -5);
}

TEST(TranspositionTableTest, KeepsADeepResultAgainstAShallowBoundOfTheSameSearch) {
  TranspositionTable table(1 << 10);
  table.Store(9, {kMove, 1, 9, Bound::kLower});
  table.Store(9, {kMove, 2, 3, Bound::kUpper});
  EXPECT_EQ(table.Find(9)->depth, 9);
  table.NextSearch();
  table.Store(9, {kMove, 2, 3, Bound::kUpper});
  EXPECT_EQ(table.Find(9)->depth, 3);
}

TEST(TranspositionTableTest, ForgetsEverythingWhenCleared) {
  TranspositionTable table(1 << 10);
  table.Store(9, {kMove, 1, 3, Bound::kLower});
  EXPECT_GT(table.used_permille(), 0);
  table.Clear();
  EXPECT_FALSE(table.Find(9).has_value());
  EXPECT_EQ(table.used_permille(), 0);
}

TEST(TranspositionTableTest, CountsOnlyEntriesOfTheSearchAsUsed) {
  TranspositionTable table(1 << 12);
  Random random(2);
  for (int i = 0; i < 10'000; ++i) table.Store(random.Next(), {kMove, 0, 3, Bound::kUpper});
  EXPECT_GT(table.used_permille(), 900);
  table.NextSearch();
  EXPECT_EQ(table.used_permille(), 0);
}

}  // namespace
}  // namespace chuhe
