// Games that take turns on few threads are the games that they would be one after the other.

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "engine/eval/simple_evaluators.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/alphabeta.h"
#include "gtest/gtest.h"
#include "selfplay/match/fiber_group.h"
#include "selfplay/match/match.h"
#include "selfplay/match/shared_evaluator.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using testing::TemporaryFolder;

// Stops a match before its n-th batch.
class StoppingEvaluator : public Evaluator {
 public:
  StoppingEvaluator(std::atomic<int>* batches, int last, Match* match)
      : batches_(*batches), last_(last), match_(match) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    if (++batches_ == last_) match_->Stop();
    evaluator_.Evaluate(requests);
  }

 private:
  std::atomic<int>& batches_;
  const int last_;
  Match* const match_;
  HashEvaluator evaluator_;
};

// Notes whether its searches are in fibers.
class NotingSearcher : public SharedTreeSearcher {
 public:
  NotingSearcher(std::shared_ptr<SharedEvaluator> evaluator, std::atomic<int>* in_fibers,
                 std::atomic<int>* in_threads)
      : SharedTreeSearcher(std::move(evaluator), {.search = {.batch_size = 4}}),
        in_fibers_(*in_fibers),
        in_threads_(*in_threads) {}

  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override {
    ++(FiberGroup::Running() != nullptr ? in_fibers_ : in_threads_);
    return SharedTreeSearcher::Search(limits, signal, sink);
  }

 private:
  std::atomic<int>& in_fibers_;
  std::atomic<int>& in_threads_;
};

class FiberMatchTest : public ::testing::Test {
 protected:
  FiberMatchTest() {
    options_.engines = {Builtin("A", "24"), Builtin("B", "12")};
    options_.builtins = [this](const EngineSpec& spec) -> absl::StatusOr<BuiltinEngine> {
      BuiltinEngine engine;
      engine.searcher = std::make_unique<NotingSearcher>(shared_, &in_fibers_, &in_threads_);
      engine.limits.nodes = std::stoi(spec.command);
      return engine;
    };
    options_.schedule.games = 8;
    options_.random_openings = {.plies = 4, .depth = 1, .max_cp = 200};
    options_.law.ply_cap = 24;
  }

  static EngineSpec Builtin(const std::string& name, const std::string& command) {
    return {.name = name, .command = command, .protocol = EngineProtocol::kBuiltin};
  }

  // Stopped before that batch, if above 0.
  MatchReport Play(int concurrency, int threads, int last_batch = 0) {
    options_.concurrency = concurrency;
    options_.threads = threads;
    in_fibers_ = 0;
    in_threads_ = 0;
    std::atomic<int> batches = 0;
    Match match(options_);
    shared_ = std::make_shared<SharedEvaluator>(32);
    for (int i = 0; i < 2; ++i) {
      shared_->Add(std::make_unique<StoppingEvaluator>(&batches, last_batch, &match));
    }
    absl::StatusOr<MatchReport> report = match.Run({});
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : MatchReport{};
  }

  double MeanBatch() const {
    const SharedEvaluator::Statistics statistics = shared_->statistics();
    return static_cast<double>(statistics.requests) / static_cast<double>(statistics.batches);
  }

  static std::string Course(const MatchReport& report) {
    std::string text;
    for (const PlayedGame& played : report.games) {
      text += std::to_string(played.game.index) + " " + played.result.reason;
      for (const PlayedPly& ply : played.result.plies) text += " " + FormatUci(ply.move);
      text += "\n";
    }
    return text;
  }

  MatchOptions options_;
  std::shared_ptr<SharedEvaluator> shared_;
  std::atomic<int> in_fibers_ = 0;
  std::atomic<int> in_threads_ = 0;
};

TEST_F(FiberMatchTest, GamesAreTheSameOnAnyNumberOfThreads) {
  const MatchReport report = Play(1, 1);
  const std::string alone = Course(report);
  EXPECT_EQ(report.games.size(), 8);
  for (const auto& [concurrency, threads] : {std::pair(8, 1), {5, 2}, {8, 3}, {3, 8}, {20, 0}}) {
    EXPECT_EQ(Course(Play(concurrency, threads)), alone) << concurrency << " on " << threads;
    EXPECT_GT(in_fibers_, 0);
    EXPECT_EQ(in_threads_, 0);
  }
}

TEST_F(FiberMatchTest, GamesOfOneThreadFillBatches) {
  Play(1, 1);
  EXPECT_LT(MeanBatch(), 4);
  Play(8, 1);
  EXPECT_GT(MeanBatch(), 15);
}

TEST_F(FiberMatchTest, GamesWithPlayersOfOurOwnTakeTurnsToo) {
  options_.engines = {Builtin("A", "8"), Builtin("B", "alphabeta:1"), Builtin("C", "random")};
  options_.schedule.games = 2;
  const std::string alone = Course(Play(1, 1));
  EXPECT_EQ(Course(Play(6, 2)), alone);
  EXPECT_GT(in_fibers_, 0);
  EXPECT_EQ(in_threads_, 0);
}

TEST_F(FiberMatchTest, GamesWithTimeHaveThreadsOfTheirOwn) {
  options_.engines[1].control.movetime_ms = 10'000;
  EXPECT_EQ(Play(4, 1).games.size(), 8);
  EXPECT_EQ(in_fibers_, 0);
  EXPECT_GT(in_threads_, 0);
}

TEST_F(FiberMatchTest, GoesOnInTheMiddleOfItsGamesToTheSameResult) {
  const TemporaryFolder folder;
  options_.schedule.games = 4;
  options_.law.ply_cap = 16;
  const std::string whole = Course(Play(1, 1));
  options_.journal = folder.path("journal");
  int runs = 0;
  MatchReport report;
  for (int batches = 20; !report.is_complete && runs < 100; ++runs, batches += 20) {
    report = Play(/*concurrency=*/3, /*threads=*/2, batches);
  }
  EXPECT_TRUE(report.is_complete);
  EXPECT_GT(runs, 2);
  EXPECT_EQ(Course(report), whole);
}

TEST_F(FiberMatchTest, FailureOfOneGameEndsAll) {
  const BuiltinFactory working = options_.builtins;
  std::atomic<int> made = 0;
  options_.builtins = [&](const EngineSpec& spec) -> absl::StatusOr<BuiltinEngine> {
    if (++made == 7) return absl::InvalidArgumentError("the seventh");
    return working(spec);
  };
  shared_ = std::make_shared<SharedEvaluator>(32);
  shared_->Add(std::make_unique<HashEvaluator>());
  options_.concurrency = 8;
  options_.threads = 2;
  const absl::Status status = Match(options_).Run({}).status();
  EXPECT_EQ(status.message(), "the seventh");
}

}  // namespace
}  // namespace chuhe
