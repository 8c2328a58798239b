#include "engine/eval/evaluation_cache.h"

#include <cstdint>
#include <thread>
#include <vector>

#include "engine/base/random.h"
#include "gtest/gtest.h"
#include "tests/engine/eval/questions.h"

namespace chuhe {
namespace {

QuestionKey KeyOfNumber(uint64_t number) {
  uint64_t state = number;
  QuestionKey key;
  key.low = SplitMix64(state);
  key.high = SplitMix64(state);
  return key;
}

// An answer that belongs to a number.
void SetAnswer(uint64_t number, EvaluationRequest* request) {
  const auto x = static_cast<float>(number);
  request->wdl = {x, x + 0.25f, x + 0.5f};
  request->plies_left = x + 0.75f;
  for (int i = 0; i < request->moves.size; ++i) {
    request->priors[i] = x + static_cast<float>(i) / 128;
  }
}

EvaluationRequest RequestWithMoves(int count) {
  EvaluationRequest request;
  request.moves.size = count;
  return request;
}

// How many of the numbers are kept; fails the test when an answer is another number's.
int CountKept(EvaluationCache* cache, uint64_t begin, uint64_t end, int moves) {
  int kept = 0;
  for (uint64_t number = begin; number < end; ++number) {
    EvaluationRequest found = RequestWithMoves(moves);
    EvaluationRequest expected = RequestWithMoves(moves);
    if (!cache->Find(KeyOfNumber(number), &found)) continue;
    SetAnswer(number, &expected);
    ExpectSameAnswers({&found, 1}, {&expected, 1});
    ++kept;
  }
  return kept;
}

void StoreNumbers(EvaluationCache* cache, uint64_t begin, uint64_t end, int moves) {
  EvaluationRequest request = RequestWithMoves(moves);
  for (uint64_t number = begin; number < end; ++number) {
    SetAnswer(number, &request);
    cache->Store(KeyOfNumber(number), request);
  }
}

TEST(EvaluationCacheTest, GivesStoredAnswersBackBitForBit) {
  EvaluationCache cache(1);
  const std::vector<EvaluationRequest> questions = RandomRequests(500);
  std::vector<EvaluationRequest> expected = questions;
  WholeQuestionEvaluator().Evaluate(expected);
  for (size_t i = 0; i < expected.size(); ++i) {
    EvaluationRequest request = questions[i];
    EXPECT_FALSE(cache.Find(KeyOfNumber(i), &request));
    cache.Store(KeyOfNumber(i), expected[i]);
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    EvaluationRequest request = questions[i];
    ASSERT_TRUE(cache.Find(KeyOfNumber(i), &request));
    ExpectSameAnswers({&request, 1}, {&expected[i], 1});
  }
}

TEST(EvaluationCacheTest, TakesAnyNumberOfMoves) {
  EvaluationCache cache(1);
  for (int moves = 1; moves <= kMaxMoves; ++moves) {
    const auto number = static_cast<uint64_t>(moves);
    StoreNumbers(&cache, number, number + 1, moves);
  }
  for (int moves = 1; moves <= kMaxMoves; ++moves) {
    const auto number = static_cast<uint64_t>(moves);
    EXPECT_EQ(CountKept(&cache, number, number + 1, moves), 1) << moves;
  }
}

TEST(EvaluationCacheTest, HalfAKeyIsNoKey) {
  EvaluationCache cache(1);
  EvaluationRequest request = RequestWithMoves(10);
  SetAnswer(1, &request);
  const QuestionKey key = KeyOfNumber(1);
  cache.Store(key, request);
  EXPECT_TRUE(cache.Find(key, &request));
  EXPECT_FALSE(cache.Find({key.low, key.high ^ 1}, &request));
  EXPECT_FALSE(cache.Find({key.low ^ 1 << 20, key.high}, &request));  // same shard and bucket
}

TEST(EvaluationCacheTest, TheNewestStayWhenItIsFull) {
  EvaluationCache cache(1);
  constexpr int kMoves = 40;  // some 200 bytes: room for more than 4,000
  StoreNumbers(&cache, 0, 20000, kMoves);
  EXPECT_GE(CountKept(&cache, 17000, 20000, kMoves), 2950);
  EXPECT_EQ(CountKept(&cache, 0, 12000, kMoves), 0);
  // Short answers take less room.
  StoreNumbers(&cache, 30000, 50000, /*moves=*/12);
  EXPECT_GE(CountKept(&cache, 45000, 50000, /*moves=*/12), 4500);
}

TEST(EvaluationCacheTest, AnswersInUseStay) {
  EvaluationCache cache(1);
  constexpr int kMoves = 40;
  constexpr int kInUse = 100;
  StoreNumbers(&cache, 0, kInUse, kMoves);
  for (uint64_t begin = 1000; begin < 30000; begin += 1000) {
    StoreNumbers(&cache, begin, begin + 1000, kMoves);
    ASSERT_GE(CountKept(&cache, 0, kInUse, kMoves), kInUse - 10) << begin;
  }
}

TEST(EvaluationCacheTest, ForgetsAllWhenCleared) {
  EvaluationCache cache(1);
  for (int round = 0; round < 3; ++round) {
    StoreNumbers(&cache, 0, 1000, 40);
    EXPECT_EQ(CountKept(&cache, 0, 1000, 40), 1000);
    cache.Clear();
    EXPECT_EQ(CountKept(&cache, 0, 1000, 40), 0);
  }
}

TEST(EvaluationCacheTest, CountsWhatItDid) {
  EvaluationCache cache(2);
  StoreNumbers(&cache, 0, 10, 40);
  StoreNumbers(&cache, 0, 10, 40);  // known already
  CountKept(&cache, 0, 25, 40);
  const EvaluationCache::Statistics statistics = cache.statistics();
  EXPECT_EQ(statistics.stores, 10);
  EXPECT_EQ(statistics.hits, 10);
  EXPECT_EQ(statistics.misses, 15);
}

TEST(EvaluationCacheTest, ManyThreadsNeverSeeAnotherQuestionsAnswer) {
  EvaluationCache cache(1);
  std::vector<std::jthread> threads;
  for (uint64_t t = 0; t < 3; ++t) {
    threads.emplace_back([&cache, t] {
      Random random(5, t);
      for (int i = 0; i < 4000; ++i) {
        // Around one moving place, so that hits and evictions are frequent.
        const uint64_t number = static_cast<uint64_t>(i) * 4 + random.Below(3000);
        const int moves = 1 + static_cast<int>(number % kMaxMoves);
        if (CountKept(&cache, number, number + 1, moves) == 0) {
          StoreNumbers(&cache, number, number + 1, moves);
        }
      }
    });
  }
  threads.clear();
  const EvaluationCache::Statistics statistics = cache.statistics();
  EXPECT_EQ(statistics.hits + statistics.misses, 3 * 4000);
  EXPECT_GT(statistics.hits, 1000);
  EXPECT_GT(statistics.stores, 1000);
}

}  // namespace
}  // namespace chuhe
