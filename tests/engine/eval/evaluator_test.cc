#include "engine/eval/evaluator.h"

#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "engine/base/random.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/eval/spread_evaluator.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

// Positions of a random game.
std::vector<EvaluationRequest> RandomRequests(int count) {
  std::vector<EvaluationRequest> requests;
  Random random(3);
  Game game(Position::Start());
  while (static_cast<int>(requests.size()) < count) {
    EvaluationRequest request;
    request.SetPosition(game);
    GenerateLegal(game.position(), &request.moves);
    if (request.moves.size == 0) break;
    requests.push_back(request);
    game.Make(
        request.moves[static_cast<int>(random.Below(static_cast<uint64_t>(request.moves.size)))]);
  }
  return requests;
}

void ExpectProper(const EvaluationRequest& request) {
  float sum = 0;
  for (int i = 0; i < request.moves.size; ++i) {
    EXPECT_GT(request.priors[i], 0);
    sum += request.priors[i];
  }
  EXPECT_NEAR(sum, 1, 1e-4);
  EXPECT_NEAR(request.wdl.win + request.wdl.draw + request.wdl.loss, 1, 1e-5);
  EXPECT_GE(std::min({request.wdl.win, request.wdl.draw, request.wdl.loss}), 0);
}

TEST(EvaluationRequestTest, TakesOccurrencesAndCounterFromTheGame) {
  EvaluationRequest request;
  request.SetPosition(PlayGame("4k4/9/5R3/9/9/4P4/9/9/9/3K5 w - - 7 1", "f7e7 e9f9 e7f7 f9e9"));
  EXPECT_EQ(request.occurrences, 2);
  EXPECT_EQ(request.no_capture_plies, 11);
  request.SetPosition(Game(Position::Start()));
  EXPECT_EQ(request.occurrences, 1);
}

TEST(SimpleEvaluatorsTest, AnswersAreDistributions) {
  std::vector<EvaluationRequest> requests = RandomRequests(100);
  UniformEvaluator uniform;
  uniform.Evaluate(requests);
  for (const EvaluationRequest& request : requests) ExpectProper(request);
  HashEvaluator hash;
  hash.Evaluate(requests);
  std::set<float> values;
  for (const EvaluationRequest& request : requests) {
    ExpectProper(request);
    values.insert(request.wdl.value());
  }
  EXPECT_GT(values.size(), 90u);
}

TEST(SpreadEvaluatorTest, AnswersAsOneEvaluatorDoesForAnyBatchSize) {
  for (const size_t parts : {1u, 2u, 3u, 5u}) {
    std::vector<std::unique_ptr<Evaluator>> evaluators;
    for (size_t i = 0; i < parts; ++i) evaluators.push_back(std::make_unique<HashEvaluator>());
    SpreadEvaluator spread(std::move(evaluators));
    for (const int count : {0, 1, 2, 3, 7, 64}) {
      std::vector<EvaluationRequest> expected = RandomRequests(count);
      std::vector<EvaluationRequest> requests = expected;
      HashEvaluator().Evaluate(expected);
      spread.Evaluate(requests);
      for (size_t i = 0; i < requests.size(); ++i) {
        ASSERT_EQ(requests[i].wdl.value(), expected[i].wdl.value());
        ASSERT_EQ(requests[i].priors[0], expected[i].priors[0]);
      }
    }
  }
}

// Remembers the threads that it ran on.
class ThreadNoter : public Evaluator {
 public:
  explicit ThreadNoter(std::atomic<int>* calls) : calls_(calls) {}
  void Evaluate(std::span<EvaluationRequest> requests) override {
    calls_->fetch_add(static_cast<int>(requests.size()));
    if (thread_ == std::thread::id()) thread_ = std::this_thread::get_id();
    EXPECT_EQ(thread_, std::this_thread::get_id());
  }

 private:
  std::atomic<int>* calls_;
  std::thread::id thread_;
};

TEST(SpreadEvaluatorTest, EachPartStaysOnItsThreadAndEveryRequestIsAnsweredOnce) {
  std::atomic<int> calls = 0;
  std::vector<std::unique_ptr<Evaluator>> parts;
  for (int i = 0; i < 3; ++i) parts.push_back(std::make_unique<ThreadNoter>(&calls));
  SpreadEvaluator spread(std::move(parts));
  std::vector<EvaluationRequest> requests = RandomRequests(32);
  for (int i = 0; i < 50; ++i) spread.Evaluate(requests);
  EXPECT_EQ(calls, 50 * 32);
}

}  // namespace
}  // namespace chuhe
