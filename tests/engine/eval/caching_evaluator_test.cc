#include "engine/eval/caching_evaluator.h"

#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/base/random.h"
#include "engine/eval/async_evaluator.h"
#include "engine/eval/scripted_evaluator.h"
#include "gtest/gtest.h"
#include "tests/engine/eval/questions.h"

namespace chuhe {
namespace {

// Batches drawn from a few questions, so that they hold some that are known and some twice.
class QuestionPool {
 public:
  explicit QuestionPool(int questions) : questions_(RandomRequests(questions)) {
    answered_ = questions_;
    WholeQuestionEvaluator().Evaluate(answered_);
  }

  void Draw(size_t count, Random* random, std::vector<EvaluationRequest>* requests,
            std::vector<EvaluationRequest>* expected) const {
    requests->clear();
    expected->clear();
    for (size_t i = 0; i < count; ++i) {
      const auto place = static_cast<size_t>(random->Below(questions_.size()));
      requests->push_back(questions_[place]);
      expected->push_back(answered_[place]);
    }
  }

 private:
  std::vector<EvaluationRequest> questions_;
  std::vector<EvaluationRequest> answered_;
};

// The answers of WholeQuestionEvaluator, and the sizes of the batches.
std::unique_ptr<ScriptedEvaluator> CountingEvaluator() {
  return std::make_unique<ScriptedEvaluator>([](EvaluationRequest* request) {
    WholeQuestionEvaluator().Evaluate({request, 1});
  });
}

TEST(CachingEvaluatorTest, AnswersAsTheInnerOneDoes) {
  EvaluationCache cache(1);
  CachingEvaluator caching(std::make_unique<WholeQuestionEvaluator>(), &cache, "");
  const QuestionPool pool(600);
  Random random(1);
  std::vector<EvaluationRequest> requests;
  std::vector<EvaluationRequest> expected;
  for (int i = 0; i < 100; ++i) {
    pool.Draw(random.Below(40), &random, &requests, &expected);
    caching.Evaluate(requests);
    ExpectSameAnswers(requests, expected);
  }
  EXPECT_GT(cache.statistics().hits, 500);
  EXPECT_GT(cache.statistics().misses, 500);
}

TEST(CachingEvaluatorTest, TwoBatchesMayBeUnderWay) {
  EvaluationCache cache(1);
  CachingEvaluator caching(
      std::make_unique<AsyncEvaluator>(std::make_unique<WholeQuestionEvaluator>()), &cache, "");
  ASSERT_EQ(caching.max_in_flight(), 2);
  const QuestionPool pool(300);
  Random random(2);
  std::vector<EvaluationRequest> requests[2];
  std::vector<EvaluationRequest> expected[2];
  for (size_t i = 0; i < 101; ++i) {
    if (i >= 2) {
      caching.Wait();
      ExpectSameAnswers(requests[i % 2], expected[i % 2]);
    }
    pool.Draw(random.Below(20), &random, &requests[i % 2], &expected[i % 2]);
    caching.Submit(requests[i % 2]);
  }
  for (const size_t last : {1u, 0u}) {
    caching.Wait();
    ExpectSameAnswers(requests[last], expected[last]);
  }
}

TEST(CachingEvaluatorTest, AsksEachQuestionOnce) {
  EvaluationCache cache(1);
  auto inner = CountingEvaluator();
  const ScriptedEvaluator& asked = *inner;
  CachingEvaluator caching(std::move(inner), &cache, "");
  // Six questions, each three times in one batch.
  const std::vector<EvaluationRequest> questions = RandomRequests(6);
  std::vector<EvaluationRequest> requests;
  for (int i = 0; i < 3; ++i) requests.insert(requests.end(), questions.begin(), questions.end());
  std::vector<EvaluationRequest> expected = requests;
  WholeQuestionEvaluator().Evaluate(expected);
  caching.Evaluate(requests);
  ExpectSameAnswers(requests, expected);
  EXPECT_EQ(asked.batch_sizes(), std::vector<size_t>({6}));
  EXPECT_EQ(cache.statistics().stores, 6);

  // All is known now: the inner one is left alone.
  caching.Evaluate(requests);
  caching.Submit(requests);
  caching.Wait();
  EXPECT_EQ(asked.batch_sizes().size(), 1u);
}

TEST(CachingEvaluatorTest, AsksWhatIsNotKnownInOneBatch) {
  // Which of eight requests are known: every pattern.
  for (unsigned known = 0; known < 256; ++known) {
    EvaluationCache cache(1);
    auto inner = CountingEvaluator();
    const ScriptedEvaluator& asked = *inner;
    CachingEvaluator caching(std::move(inner), &cache, "");
    std::vector<EvaluationRequest> requests = RandomRequests(8);
    std::vector<EvaluationRequest> expected = requests;
    WholeQuestionEvaluator().Evaluate(expected);
    size_t unknown = 0;
    for (size_t i = 0; i < 8; ++i) {
      if ((known >> i & 1) != 0) {
        cache.Store(KeyOf(expected[i], SaltOf("")), expected[i]);
      } else {
        ++unknown;
      }
    }
    caching.Evaluate(requests);
    ExpectSameAnswers(requests, expected);
    if (unknown > 0) {
      ASSERT_EQ(asked.batch_sizes(), std::vector<size_t>({unknown})) << known;
    }
  }
}

TEST(CachingEvaluatorTest, AnotherSaltKnowsNothing) {
  EvaluationCache cache(1);
  std::vector<EvaluationRequest> requests = RandomRequests(10);
  for (const char* const salt : {"network a, int8", "network a, fp32", "network b, int8"}) {
    auto inner = CountingEvaluator();
    const ScriptedEvaluator& asked = *inner;
    CachingEvaluator caching(std::move(inner), &cache, salt);
    caching.Evaluate(requests);
    EXPECT_EQ(asked.batch_sizes(), std::vector<size_t>({10})) << salt;
  }
  EXPECT_EQ(cache.statistics().hits, 0);
}

TEST(CachingEvaluatorTest, ThreadsShareACache) {
  EvaluationCache cache(1);
  const QuestionPool pool(500);
  std::vector<std::jthread> threads;
  for (uint64_t t = 0; t < 3; ++t) {
    threads.emplace_back([&cache, &pool, t] {
      CachingEvaluator caching(std::make_unique<WholeQuestionEvaluator>(), &cache, "");
      Random random(3, t);
      std::vector<EvaluationRequest> requests;
      std::vector<EvaluationRequest> expected;
      for (int i = 0; i < 40; ++i) {
        pool.Draw(16, &random, &requests, &expected);
        caching.Evaluate(requests);
        ExpectSameAnswers(requests, expected);
      }
    });
  }
  threads.clear();
  EXPECT_LE(cache.statistics().stores, 500);
}

}  // namespace
}  // namespace chuhe
