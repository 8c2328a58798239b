#include "engine/eval/async_evaluator.h"

#include <memory>
#include <utility>
#include <vector>

#include "engine/eval/alternating_evaluator.h"
#include "engine/eval/scripted_evaluator.h"
#include "gtest/gtest.h"
#include "tests/engine/eval/gate_evaluator.h"
#include "tests/engine/eval/questions.h"

namespace chuhe {
namespace {

std::vector<EvaluationRequest> Answered(std::vector<EvaluationRequest> requests) {
  WholeQuestionEvaluator().Evaluate(requests);
  return requests;
}

TEST(AsyncEvaluatorTest, AnswersAsTheInnerOneDoes) {
  AsyncEvaluator async(std::make_unique<WholeQuestionEvaluator>());
  for (const int count : {0, 1, 7, 50}) {
    std::vector<EvaluationRequest> requests = RandomRequests(count);
    const std::vector<EvaluationRequest> expected = Answered(requests);
    async.Evaluate(requests);
    ExpectSameAnswers(requests, expected);
  }
}

TEST(AsyncEvaluatorTest, TakesASecondBatchWhileTheFirstIsAtWork) {
  Gate gate;
  AsyncEvaluator async(std::make_unique<GateEvaluator>(&gate));
  ASSERT_EQ(async.max_in_flight(), 2);
  std::vector<EvaluationRequest> first = RandomRequests(5, 1);
  std::vector<EvaluationRequest> second = RandomRequests(3, 2);
  const auto expected_first = Answered(first);
  const auto expected_second = Answered(second);
  async.Submit(first);
  gate.has_begun.acquire();
  async.Submit(second);  // would never return if it did the work, which nobody has let begin
  EXPECT_FALSE(gate.has_begun.try_acquire());
  gate.may_end.release();
  async.Wait();
  ExpectSameAnswers(first, expected_first);
  gate.may_end.release();
  async.Wait();
  ExpectSameAnswers(second, expected_second);
}

TEST(AsyncEvaluatorTest, FinishesWhatWasSubmittedBeforeItEnds) {
  std::vector<EvaluationRequest> requests = RandomRequests(5);
  const auto expected = Answered(requests);
  {
    AsyncEvaluator async(std::make_unique<WholeQuestionEvaluator>());
    async.Submit(requests);
  }
  ExpectSameAnswers(requests, expected);
}

// An AlternatingEvaluator over asynchronous parts, and what each part was asked.
struct Devices {
  explicit Devices(size_t count) {
    std::vector<std::unique_ptr<Evaluator>> asynchronous;
    for (size_t i = 0; i < count; ++i) {
      auto part = std::make_unique<ScriptedEvaluator>([](EvaluationRequest* request) {
        WholeQuestionEvaluator().Evaluate({request, 1});
      });
      parts.push_back(part.get());
      asynchronous.push_back(std::make_unique<AsyncEvaluator>(std::move(part)));
    }
    evaluator = std::make_unique<AlternatingEvaluator>(std::move(asynchronous));
  }

  std::vector<const ScriptedEvaluator*> parts;
  std::unique_ptr<AlternatingEvaluator> evaluator;
};

TEST(AlternatingEvaluatorTest, SubmittedBatchesGoToThePartsInTurn) {
  Devices devices(3);
  ASSERT_EQ(devices.evaluator->max_in_flight(), 6);
  std::vector<std::vector<EvaluationRequest>> batches;
  std::vector<std::vector<EvaluationRequest>> expected;
  for (int size = 1; size <= 20; ++size) {
    batches.push_back(RandomRequests(size, static_cast<uint64_t>(size)));
    expected.push_back(Answered(batches.back()));
  }
  for (size_t i = 0; i < batches.size() + 6; ++i) {
    if (i >= 6) {
      devices.evaluator->Wait();
      ExpectSameAnswers(batches[i - 6], expected[i - 6]);
    }
    if (i < batches.size()) devices.evaluator->Submit(batches[i]);
  }
  EXPECT_EQ(devices.parts[0]->batch_sizes(), std::vector<size_t>({1, 4, 7, 10, 13, 16, 19}));
  EXPECT_EQ(devices.parts[1]->batch_sizes(), std::vector<size_t>({2, 5, 8, 11, 14, 17, 20}));
  EXPECT_EQ(devices.parts[2]->batch_sizes(), std::vector<size_t>({3, 6, 9, 12, 15, 18}));
}

TEST(AlternatingEvaluatorTest, ABatchThatIsWaitedForIsSplit) {
  Devices devices(3);
  for (const int count : {0, 1, 2, 3, 10}) {
    std::vector<EvaluationRequest> requests = RandomRequests(count);
    const auto expected = Answered(requests);
    devices.evaluator->Evaluate(requests);
    ExpectSameAnswers(requests, expected);
  }
  EXPECT_EQ(devices.parts[0]->batch_sizes(), std::vector<size_t>({0, 1, 1, 1, 3}));
  EXPECT_EQ(devices.parts[1]->batch_sizes(), std::vector<size_t>({1, 1, 3}));
  EXPECT_EQ(devices.parts[2]->batch_sizes(), std::vector<size_t>({1, 4}));
}

}  // namespace
}  // namespace chuhe
