// Many games that share evaluators get the answers, and play the games, that each would alone.

#include "selfplay/match/shared_evaluator.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "engine/eval/simple_evaluators.h"
#include "gtest/gtest.h"
#include "selfplay/match/fiber_group.h"

namespace chuhe {
namespace {

// Remembers the sizes of its batches, and that nobody else is in it.
class WatchedEvaluator : public Evaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override {
    EXPECT_FALSE(is_busy_.exchange(true));
    largest = std::max(largest.load(), requests.size());
    evaluator_.Evaluate(requests);
    is_busy_ = false;
  }

  std::atomic<size_t> largest = 0;

 private:
  std::atomic<bool> is_busy_ = false;
  HashEvaluator evaluator_;
};

std::vector<EvaluationRequest> SomeRequests(int first, int count) {
  std::vector<EvaluationRequest> requests;
  Game game(Position::Start());
  for (int i = 0; i < first + count; ++i) {
    MoveList moves;
    GenerateLegal(game.position(), &moves);
    if (i >= first) {
      requests.emplace_back();
      requests.back().moves = moves;
      requests.back().SetPosition(game);
    }
    game.Make(moves[i * 7 % moves.size]);
  }
  return requests;
}

void CompareAnswers(const std::shared_ptr<SharedEvaluator>& shared, int number) {
  SharedEvaluator::Seat seat(shared);
  HashEvaluator alone;
  for (int round = 0; round < 100; ++round) {
    std::vector<EvaluationRequest> requests = SomeRequests(number, 1 + (number + round) % 5);
    std::vector<EvaluationRequest> expected = requests;
    seat.Enter();
    seat.Evaluate(requests);
    if (round % 3 == 0) seat.Evaluate(requests);
    seat.Leave();
    alone.Evaluate(expected);
    for (size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(requests[i].wdl.win, expected[i].wdl.win);
      EXPECT_EQ(requests[i].priors[0], expected[i].priors[0]);
    }
  }
}

TEST(SharedEvaluatorTest, AnswersAreThoseOfTheEvaluator) {
  for (const int evaluators : {1, 2}) {
    const auto shared = std::make_shared<SharedEvaluator>(16);
    for (int i = 0; i < evaluators; ++i) shared->Add(std::make_unique<WatchedEvaluator>());
    std::vector<std::jthread> threads;
    for (int number = 0; number < 6; ++number) {
      threads.emplace_back([&shared, number] { CompareAnswers(shared, number); });
    }
  }
}

TEST(SharedEvaluatorTest, FibersAndThreadsMayAskTheSameEvaluators) {
  for (const int evaluators : {1, 2}) {
    const auto shared = std::make_shared<SharedEvaluator>(16);
    for (int i = 0; i < evaluators; ++i) shared->Add(std::make_unique<WatchedEvaluator>());
    std::vector<std::jthread> threads;
    for (int number = 0; number < 2; ++number) {
      threads.emplace_back([&shared, number] { CompareAnswers(shared, number); });
      threads.emplace_back([&shared] {
        std::vector<std::function<void()>> fibers;
        for (int i = 0; i < 6; ++i)
          fibers.emplace_back([&shared, i] { CompareAnswers(shared, i); });
        FiberGroup().Run(fibers);
      });
    }
  }
}

TEST(SharedEvaluatorTest, FibersOfAThreadAreAnsweredTogetherAndWaitForNoOthers) {
  const auto shared = std::make_shared<SharedEvaluator>(64);
  auto watched = std::make_unique<WatchedEvaluator>();
  const WatchedEvaluator& evaluator = *watched;
  shared->Add(std::move(watched));
  SharedEvaluator::Seat outside(shared);
  outside.Enter();
  const auto ask = [&] {
    SharedEvaluator::Seat seat(shared);
    std::vector<EvaluationRequest> requests = SomeRequests(0, 3);
    seat.Enter();
    seat.Evaluate(requests);
    seat.Leave();
  };
  FiberGroup().Run(std::vector<std::function<void()>>(5, ask));
  EXPECT_EQ(evaluator.largest, 15);
  EXPECT_EQ(shared->statistics().batches, 1);
  outside.Leave();
}

TEST(SharedEvaluatorTest, SeatsThatWaitAreAnsweredTogether) {
  const auto shared = std::make_shared<SharedEvaluator>(64);
  auto watched = std::make_unique<WatchedEvaluator>();
  const WatchedEvaluator& evaluator = *watched;
  shared->Add(std::move(watched));
  SharedEvaluator::Seat first(shared);
  SharedEvaluator::Seat second(shared);
  first.Enter();
  second.Enter();
  std::jthread other([&] {
    std::vector<EvaluationRequest> requests = SomeRequests(0, 3);
    first.Evaluate(requests);
    first.Leave();
  });
  std::vector<EvaluationRequest> requests = SomeRequests(3, 4);
  second.Evaluate(requests);
  EXPECT_EQ(evaluator.largest, 7);
  // The other one may be done by now: what comes next is all that can come.
  second.Evaluate(requests);
  second.Leave();
  other.join();
  EXPECT_EQ(shared->statistics().requests, 3 + 4 + 4);
}

TEST(SharedEvaluatorTest, CallLargerThanABatchIsAnsweredAsItIs) {
  const auto shared = std::make_shared<SharedEvaluator>(2);
  shared->Add(std::make_unique<HashEvaluator>());
  SharedEvaluator::Seat seat(shared);
  std::vector<EvaluationRequest> requests = SomeRequests(0, 9);
  seat.Enter();
  seat.Evaluate(requests);
  seat.Leave();
  EXPECT_NE(requests[8].wdl.win, 0);
}

}  // namespace
}  // namespace chuhe
