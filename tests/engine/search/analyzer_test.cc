#include "engine/search/analyzer.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/board/fen.h"
#include "engine/eval/simple_evaluators.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;

// Notes how large the batches were.
class CountingEvaluator : public Evaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override {
    sizes.push_back(requests.size());
    hash_.Evaluate(requests);
  }
  std::vector<size_t> sizes;

 private:
  HashEvaluator hash_;
};

class AnalyzerTest : public ::testing::Test {
 protected:
  AnalyzerTest() {
    options_.batch_size = 8;
    options_.max_active = 4;
  }
  Analyzer MakeAnalyzer() {
    return Analyzer(&evaluator_, options_, [this](const AnalysisOrder& order, const TreeSearch& s) {
      done_.push_back(order.id);
      visits_[order.id] = s.visits();
    });
  }
  static AnalysisOrder Order(const std::string& id, int64_t nodes, int priority = 0) {
    return {.id = id, .game = Game(Position::Start()), .nodes = nodes, .priority = priority};
  }
  static void Finish(Analyzer* analyzer) {
    while (!analyzer->is_idle()) analyzer->Step();
  }

  AnalysisOptions options_;
  CountingEvaluator evaluator_;
  std::vector<std::string> done_;
  std::map<std::string, int64_t> visits_;
};

TEST_F(AnalyzerTest, EveryOrderGetsExactlyItsVisits) {
  Analyzer analyzer = MakeAnalyzer();
  for (int i = 0; i < 10; ++i) analyzer.Add(Order(std::to_string(i), 20 + 7 * i));
  Finish(&analyzer);
  ASSERT_EQ(done_.size(), 10u);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(visits_[std::to_string(i)], 20 + 7 * i);
}

TEST_F(AnalyzerTest, OrdersShareTheBatches) {
  Analyzer analyzer = MakeAnalyzer();
  for (int i = 0; i < 4; ++i) analyzer.Add(Order(std::to_string(i), 100));
  analyzer.Step();  // the four roots
  analyzer.Step();
  ASSERT_EQ(evaluator_.sizes.size(), 2u);
  EXPECT_EQ(evaluator_.sizes[0], 4u);
  // Two leaves of each: more than one analysis has at this age.
  EXPECT_GT(evaluator_.sizes[1], 4u);
  EXPECT_LE(evaluator_.sizes[1], 8u);
}

TEST_F(AnalyzerTest, HigherPrioritiesAreServedFirstThenTheOlder) {
  options_.max_active = 1;
  Analyzer analyzer = MakeAnalyzer();
  analyzer.Add(Order("low", 30, -1));
  analyzer.Add(Order("first", 30, 2));
  analyzer.Add(Order("middle", 30, 0));
  analyzer.Add(Order("second", 30, 2));
  Finish(&analyzer);
  EXPECT_THAT(done_, ElementsAre("first", "second", "middle", "low"));
}

TEST_F(AnalyzerTest, AHighPriorityTakesTheWholeBatchWhenItCan) {
  options_.batch_size = 2;
  Analyzer analyzer = MakeAnalyzer();
  analyzer.Add(Order("low", 60, 0));
  for (int i = 0; i < 5; ++i) analyzer.Step();
  analyzer.Add(Order("high", 60, 1));
  Finish(&analyzer);
  EXPECT_THAT(done_, ElementsAre("high", "low"));
}

TEST_F(AnalyzerTest, CancelledOrdersAreNeverDone) {
  options_.max_active = 1;
  Analyzer analyzer = MakeAnalyzer();
  analyzer.Add(Order("active", 1000000));
  analyzer.Add(Order("waiting", 10));
  analyzer.Step();
  EXPECT_TRUE(analyzer.Cancel("active"));
  EXPECT_TRUE(analyzer.Cancel("waiting"));
  EXPECT_FALSE(analyzer.Cancel("waiting"));
  EXPECT_TRUE(analyzer.is_idle());
  EXPECT_TRUE(done_.empty());
}

TEST_F(AnalyzerTest, DecidedPositionsAreDoneAtOnce) {
  Analyzer analyzer = MakeAnalyzer();
  const auto mated = ParseFen("R3k4/8R/9/9/9/9/9/9/9/3K5 b");
  ASSERT_TRUE(mated.ok());
  analyzer.Add({.id = "mated", .game = Game(mated->position), .nodes = 100});
  analyzer.Step();
  EXPECT_THAT(done_, ElementsAre("mated"));
}

TEST_F(AnalyzerTest, ReportsTheShortestOfShortMates) {
  UniformEvaluator evaluator;
  int plies = 0;
  Analyzer analyzer(&evaluator, options_, [&](const AnalysisOrder&, const TreeSearch& search) {
    plies = search.RankedRootMoves().front().proof_plies();
  });
  AnalysisOrder order = Order("mate", 400'000);
  // The tree comes upon a mate in four first.
  order.game = Game(ParseFen("9/4a4/3k5/9/2p2c2c/9/7pR/pr7/9/4K4 b")->position);
  analyzer.Add(std::move(order));
  Finish(&analyzer);
  EXPECT_EQ(plies, 5);
}

TEST_F(AnalyzerTest, TimeEndsAnAnalysisThatHasLookedAtAMove) {
  Analyzer analyzer = MakeAnalyzer();
  analyzer.Add({.id = "timed", .game = Game(Position::Start()), .movetime_ms = 1});
  Finish(&analyzer);
  EXPECT_GT(visits_["timed"], 0);
}

TEST_F(AnalyzerTest, AnAnalysisIsTheSameBesideOthers) {
  // With one leaf a batch each, whoever else is there.
  options_.batch_size = 1;
  options_.max_active = 1;
  std::vector<Edge> alone;
  Analyzer first(&evaluator_, options_, [&](const AnalysisOrder&, const TreeSearch& search) {
    alone = search.RankedRootMoves();
  });
  first.Add(Order("x", 200));
  Finish(&first);

  options_.batch_size = 3;
  options_.max_active = 3;
  std::vector<Edge> together;
  Analyzer second(&evaluator_, options_, [&](const AnalysisOrder& order, const TreeSearch& search) {
    if (order.id == "x") together = search.RankedRootMoves();
  });
  for (const char* id : {"a", "x", "b"}) second.Add(Order(id, 200));
  Finish(&second);
  ASSERT_EQ(alone.size(), together.size());
  for (size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i].move, together[i].move);
    EXPECT_EQ(alone[i].visits, together[i].visits);
  }
}

}  // namespace
}  // namespace chuhe
