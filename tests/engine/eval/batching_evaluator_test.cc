#include "engine/eval/batching_evaluator.h"

#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/random.h"
#include "engine/eval/async_evaluator.h"
#include "engine/eval/scripted_evaluator.h"
#include "gtest/gtest.h"
#include "tests/engine/eval/gate_evaluator.h"
#include "tests/engine/eval/questions.h"

namespace chuhe {
namespace {

using Front = BatchingEvaluator::Front;

constexpr std::chrono::microseconds kForever = std::chrono::hours(1);

template <typename... Evaluators>
std::vector<std::unique_ptr<Evaluator>> ListOf(std::unique_ptr<Evaluators>... evaluators) {
  std::vector<std::unique_ptr<Evaluator>> list;
  (list.push_back(std::move(evaluators)), ...);
  return list;
}

// Answers as WholeQuestionEvaluator, and notes which requests came, by `occurrences`.
std::unique_ptr<ScriptedEvaluator> NotingEvaluator(std::vector<int>* seen) {
  return std::make_unique<ScriptedEvaluator>([seen](EvaluationRequest* request) {
    seen->push_back(request->occurrences);
    WholeQuestionEvaluator().Evaluate({request, 1});
  });
}

std::vector<EvaluationRequest> NumberedRequests(int first, int count) {
  std::vector<EvaluationRequest> requests = RandomRequests(count);
  for (EvaluationRequest& request : requests) request.occurrences = first++;
  return requests;
}

// Batches of random sizes, one after the other and two at a time.
void AskAtRandom(Front* front, uint64_t seed, int rounds) {
  Random random(seed);
  const std::vector<EvaluationRequest> questions = RandomRequests(60, seed);
  std::vector<EvaluationRequest> answered = questions;
  WholeQuestionEvaluator().Evaluate(answered);
  for (int i = 0; i < rounds; ++i) {
    std::vector<EvaluationRequest> requests = questions;
    const size_t begin = random.Below(20);
    const size_t middle = begin + random.Below(20);
    const size_t end = middle + random.Below(20);
    const std::span all(requests);
    if (random.Below(2) == 0) {
      front->Evaluate(all.subspan(begin, middle - begin));
      front->Evaluate(all.subspan(middle, end - middle));
    } else {
      front->Submit(all.subspan(begin, middle - begin));
      front->Submit(all.subspan(middle, end - middle));
      front->Wait();
      front->Wait();
    }
    ExpectSameAnswers(std::span(requests).subspan(begin, end - begin),
                      std::span(answered).subspan(begin, end - begin));
  }
}

TEST(BatchingEvaluatorTest, AnswersDoNotDependOnTheGrouping) {
  const auto whole = [] { return std::make_unique<WholeQuestionEvaluator>(); };
  const auto async = [&] { return std::make_unique<AsyncEvaluator>(whole()); };
  for (const size_t max_batch : {1u, 7u, 64u}) {
    for (int kind = 0; kind < 3; ++kind) {
      BatchingEvaluator batching(kind == 0   ? ListOf(whole())
                                 : kind == 1 ? ListOf(async())
                                             : ListOf(whole(), whole()),
                                 {max_batch, std::chrono::microseconds(50)});
      std::vector<std::jthread> threads;
      for (uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&batching, t] {
          const auto front = batching.NewFront();
          AskAtRandom(front.get(), t, 10);
        });
      }
    }
  }
}

TEST(BatchingEvaluatorTest, ABatchStartsWhenEveryFrontWaits) {
  constexpr int kThreads = 3;
  constexpr int kRounds = 20;
  std::vector<int> seen;
  BatchingEvaluator batching(ListOf(NotingEvaluator(&seen)), {100, kForever});
  std::vector<std::unique_ptr<Front>> fronts(kThreads);
  for (auto& front : fronts) front = batching.NewFront();
  std::vector<std::jthread> threads;
  threads.reserve(kThreads);
  for (const auto& front : fronts) {
    threads.emplace_back([&front] {
      for (int i = 0; i < kRounds; ++i) {
        std::vector<EvaluationRequest> requests = RandomRequests(2);
        front->Evaluate(requests);
      }
    });
  }
  threads.clear();
  // All in step, since no batch may start without one of them.
  const BatchingEvaluator::Statistics statistics = batching.statistics();
  EXPECT_EQ(statistics.complete_batches, kRounds);
  EXPECT_EQ(statistics.batches(), kRounds);
  EXPECT_EQ(statistics.mean_batch_size(), 2 * kThreads);
}

TEST(BatchingEvaluatorTest, ALoneFrontDoesNotWait) {
  std::vector<int> seen;
  BatchingEvaluator batching(ListOf(NotingEvaluator(&seen)), {100, kForever});
  const auto front = batching.NewFront();
  AskAtRandom(front.get(), 1, 20);
  EXPECT_EQ(batching.statistics().overdue_batches, 0);
}

TEST(BatchingEvaluatorTest, AFullBatchStartsThoughOthersMayCome) {
  std::vector<int> seen;
  BatchingEvaluator batching(ListOf(NotingEvaluator(&seen)), {4, kForever});
  const auto idle = batching.NewFront();
  const auto front = batching.NewFront();
  std::vector<EvaluationRequest> requests = RandomRequests(4);
  front->Evaluate(requests);
  EXPECT_EQ(batching.statistics().full_batches, 1);
}

TEST(BatchingEvaluatorTest, ABatchStartsWhenItsOldestCallHasWaitedLongEnough) {
  std::vector<int> seen;
  BatchingEvaluator batching(ListOf(NotingEvaluator(&seen)), {4, std::chrono::milliseconds(2)});
  const auto idle = batching.NewFront();
  const auto front = batching.NewFront();
  std::vector<EvaluationRequest> requests = RandomRequests(3);
  for (int i = 1; i <= 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    front->Evaluate(requests);
    EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(2));
    EXPECT_EQ(batching.statistics().overdue_batches, i);
  }
}

TEST(BatchingEvaluatorTest, AFrontThatEndsIsNotWaitedFor) {
  constexpr int kRounds = 50;
  std::vector<int> seen;
  BatchingEvaluator batching(ListOf(NotingEvaluator(&seen)), {100, kForever});
  for (int i = 0; i < kRounds; ++i) {
    auto ending = batching.NewFront();
    std::jthread asker([&batching] {
      std::vector<EvaluationRequest> requests = RandomRequests(3);
      batching.NewFront()->Evaluate(requests);
    });
    // Sometimes before the other one waits, sometimes after.
    for (int j = 0; j < i; ++j) std::this_thread::yield();
    ending.reset();
  }
  EXPECT_EQ(batching.statistics().complete_batches, kRounds);
}

TEST(BatchingEvaluatorTest, AFrontThatEndsGetsItsAnswersBefore) {
  BatchingEvaluator batching(ListOf(std::make_unique<WholeQuestionEvaluator>()), {100, kForever});
  std::vector<EvaluationRequest> requests = RandomRequests(3);
  std::vector<EvaluationRequest> expected = requests;
  WholeQuestionEvaluator().Evaluate(expected);
  batching.NewFront()->Submit(requests);
  ExpectSameAnswers(requests, expected);
}

TEST(BatchingEvaluatorTest, CallsAreServedInTheOrderOfTheirArrival) {
  std::vector<int> seen;
  BatchingEvaluator batching(ListOf(NotingEvaluator(&seen)), {4, kForever});
  const auto a = batching.NewFront();
  const auto b = batching.NewFront();
  const auto idle = batching.NewFront();
  // The large call does not let the later ones pass, nor do those pass each other.
  std::vector<EvaluationRequest> large = NumberedRequests(1, 9);
  std::vector<EvaluationRequest> second = NumberedRequests(10, 1);
  std::vector<EvaluationRequest> third = NumberedRequests(11, 2);
  a->Submit(large);
  b->Submit(second);
  a->Submit(third);
  for (Front* const front : {a.get(), b.get(), a.get()}) front->Wait();
  EXPECT_EQ(seen, std::vector<int>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(batching.statistics().full_batches, 3);
}

TEST(BatchingEvaluatorTest, WhatArrivesWhileABatchIsAtWorkIsJoined) {
  Gate gate;
  BatchingEvaluator batching(ListOf(std::make_unique<GateEvaluator>(&gate)), {3, kForever});
  std::vector<std::unique_ptr<Front>> fronts(4);
  for (auto& front : fronts) front = batching.NewFront();
  std::vector<EvaluationRequest> requests[4];
  for (auto& own : requests) own = RandomRequests(3);
  fronts[0]->Submit(std::span(requests[0]).first(3));
  gate.has_begun.acquire();
  for (size_t i = 1; i < 4; ++i) fronts[i]->Submit(std::span(requests[i]).first(1));
  gate.may_end.release(2);
  for (const auto& front : fronts) front->Wait();
  EXPECT_EQ(batching.statistics().batches(), 2);
}

TEST(BatchingEvaluatorTest, ASecondEvaluatorTakesWhatTheFirstIsTooBusyFor) {
  Gate gate;
  BatchingEvaluator batching(
      ListOf(std::make_unique<GateEvaluator>(&gate), std::make_unique<GateEvaluator>(&gate)),
      {2, kForever});
  const auto front = batching.NewFront();
  std::vector<EvaluationRequest> first = RandomRequests(2);
  std::vector<EvaluationRequest> second = RandomRequests(2);
  front->Submit(first);
  front->Submit(second);
  gate.has_begun.acquire();
  gate.has_begun.acquire();  // both at once
  gate.may_end.release(2);
  front->Wait();
  front->Wait();
}

TEST(BatchingEvaluatorTest, TheRestOfACallIsNotForgottenWhileItsFirstPartIsAtWork) {
  Gate gate;
  BatchingEvaluator batching(
      ListOf(std::make_unique<GateEvaluator>(&gate), std::make_unique<GateEvaluator>(&gate)),
      {2, std::chrono::milliseconds(1)});
  const auto idle = batching.NewFront();
  const auto front = batching.NewFront();
  std::vector<EvaluationRequest> requests = RandomRequests(3);
  for (int i = 0; i < 3; ++i) {
    front->Submit(requests);
    gate.has_begun.acquire();
    gate.has_begun.acquire();  // the rest, after its waiting time
    gate.may_end.release(2);
    front->Wait();
  }
  EXPECT_EQ(batching.statistics().overdue_batches, 3);
}

TEST(BatchingEvaluatorTest, AnAsynchronousEvaluatorGetsTheNextBatchBeforeTheFirstIsDone) {
  Gate gate;
  BatchingEvaluator batching(
      ListOf(std::make_unique<AsyncEvaluator>(std::make_unique<GateEvaluator>(&gate))),
      {2, kForever});
  const auto front = batching.NewFront();
  std::vector<EvaluationRequest> requests = RandomRequests(4);
  front->Submit(std::span(requests).first(4));
  gate.has_begun.acquire();
  // The second half of the call has been taken while the first half is at work.
  while (batching.statistics().batches() < 2) std::this_thread::yield();
  gate.may_end.release(2);
  front->Wait();
}

TEST(BatchingEvaluatorTest, AnEmptyCallIsAnsweredAtOnce) {
  BatchingEvaluator batching(ListOf(std::make_unique<WholeQuestionEvaluator>()), {4, kForever});
  const auto idle = batching.NewFront();
  const auto front = batching.NewFront();
  front->Evaluate({});
  front->Submit({});
  front->Wait();
  EXPECT_EQ(batching.statistics().batches(), 0);
}

}  // namespace
}  // namespace chuhe
