// Many games that share evaluators get the answers, and play the games, that each would alone.

#include "selfplay/match/shared_evaluator.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/eval/simple_evaluators.h"
#include "engine/rules/notation/coordinates.h"
#include "gtest/gtest.h"
#include "selfplay/match/match.h"

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

TEST(SharedEvaluatorTest, AnswersAreThoseOfTheEvaluator) {
  for (const int evaluators : {1, 2}) {
    const auto shared = std::make_shared<SharedEvaluator>(16);
    for (int i = 0; i < evaluators; ++i) shared->Add(std::make_unique<WatchedEvaluator>());
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 6; ++thread) {
      threads.emplace_back([&shared, thread] {
        SharedEvaluator::Seat seat(shared);
        HashEvaluator alone;
        for (int round = 0; round < 100; ++round) {
          std::vector<EvaluationRequest> requests = SomeRequests(thread, 1 + (thread + round) % 5);
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
      });
    }
  }
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

TEST(SharedEvaluatorTest, GamesAreTheSameWithAnyNumberOfThreads) {
  const auto play = [](int concurrency) {
    const auto shared = std::make_shared<SharedEvaluator>(8);
    for (int i = 0; i < 2; ++i) shared->Add(std::make_unique<WatchedEvaluator>());
    MatchOptions options;
    for (const char* name : {"A", "B"}) {
      options.engines.push_back(
          {.name = name, .command = name, .protocol = EngineProtocol::kBuiltin});
    }
    options.builtins = [&](absl::string_view command) -> absl::StatusOr<BuiltinEngine> {
      TreeSearchOptions search;
      search.batch_size = 4;
      BuiltinEngine engine;
      engine.searcher =
          std::make_unique<SharedTreeSearcher>(shared, TreeSearcherOptions{.search = search});
      engine.limits.nodes = command == "A" ? 24 : 12;
      return engine;
    };
    options.schedule.games = 8;
    options.random_openings = {.plies = 4, .depth = 1, .max_cp = 200};
    options.law.ply_cap = 30;
    options.concurrency = concurrency;
    const auto report = Match(options).Run({});
    EXPECT_TRUE(report.ok()) << report.status();
    std::string course;
    for (const PlayedGame& played : report->games) {
      for (const PlayedPly& ply : played.result.plies) course += FormatUci(ply.move) + " ";
      course += "\n";
    }
    return course;
  };
  const std::string alone = play(1);
  EXPECT_GT(alone.size(), 8 * 20 * 5);
  EXPECT_EQ(play(5), alone);
}

}  // namespace
}  // namespace chuhe
