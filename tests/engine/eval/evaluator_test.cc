#include "engine/eval/evaluator.h"

#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "engine/eval/simple_evaluators.h"
#include "engine/eval/spread_evaluator.h"
#include "gtest/gtest.h"
#include "tests/engine/eval/questions.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

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

TEST(EvaluationRequestTest, CountsChecksInARowOfEachSide) {
  struct Case {
    const char* fen;
    const char* moves;
    int red;
    int black;
  };
  static constexpr char kRook[] = "4k4/9/5R3/9/9/4P4/9/9/9/3K5 w";
  // Red checks, Black's cannon steps between and uncovers its rook.
  static constexpr char kCounterCheck[] = "3rk4/3c5/5R3/9/9/4P4/9/9/9/3K5 w";
  constexpr Case kCases[] = {
      {kRook, "", 0, 0},
      {kRook, "f7e7", 1, 0},
      {kRook, "f7e7 e9f9", 1, 0},
      {kRook, "f7e7 e9f9 d0d1", 0, 0},
      {kRook, "f7e7 e9f9 d0d1 f9f8 e7e8", 1, 0},
      {kRook, "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7", 5, 0},
      {kRook, "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7", 6, 0},
      {kRook, "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7", 6, 0},
      {kCounterCheck, "f7e7 d8e8", 1, 1},
      {kCounterCheck, "f7e7 d8e8 d0e0", 0, 1},
      {kCounterCheck, "f7e7 d8e8 d0e0 e9f9", 0, 0},
  };
  EvaluationRequest request;  // used again and again, as the search does
  for (const Case& c : kCases) {
    request.SetPosition(PlayGame(c.fen, c.moves));
    EXPECT_EQ(request.checks_in_a_row[Index(Color::kRed)], c.red) << c.moves;
    EXPECT_EQ(request.checks_in_a_row[Index(Color::kBlack)], c.black) << c.moves;
  }
}

TEST(EvaluationRequestTest, HoldsTheLastSixPliesNewestFirst) {
  EvaluationRequest request;
  Game game = PlayGame("startpos", "h2e2 h9g7 h0g2 i9h9 b0c2 b9c7 c3c4");
  request.SetPosition(game);
  for (int i = 0; i < kRecentPlies; ++i) EXPECT_EQ(request.recent[i], game.move(7 - i)) << i;
  game.Unmake();
  game.Unmake();
  request.SetPosition(game);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(request.recent[i], game.move(5 - i)) << i;
  EXPECT_FALSE(request.recent[5]);
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
      ExpectSameAnswers(requests, expected);
    }
  }
}

TEST(SpreadEvaluatorTest, SubmitDoesAllTheWork) {
  std::vector<std::unique_ptr<Evaluator>> parts;
  for (int i = 0; i < 2; ++i) parts.push_back(std::make_unique<HashEvaluator>());
  SpreadEvaluator spread(std::move(parts));
  std::vector<EvaluationRequest> requests = RandomRequests(9);
  std::vector<EvaluationRequest> expected = requests;
  HashEvaluator().Evaluate(expected);
  EXPECT_EQ(spread.max_in_flight(), 1);
  spread.Submit(requests);
  ExpectSameAnswers(requests, expected);
  spread.Wait();
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
