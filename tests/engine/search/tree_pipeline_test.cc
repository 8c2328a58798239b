// Collecting the next batch while an evaluator works on the last one.
#include <cstdlib>
#include <deque>
#include <semaphore>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "engine/eval/simple_evaluators.h"
#include "engine/search/tree_search.h"
#include "engine/search/tree_searcher.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

Game StartGame() { return Game(Position::Start()); }

// Answers at the last moment: until Wait() the answers are nonsense. Counts what happens.
class LateEvaluator : public Evaluator {
 public:
  explicit LateEvaluator(int max_in_flight) : max_in_flight_(max_in_flight) {}

  void Evaluate(std::span<EvaluationRequest> requests) override {
    Submit(requests);
    Wait();
  }
  void Submit(std::span<EvaluationRequest> requests) override {
    ASSERT_LT(static_cast<int>(under_way_.size()), max_in_flight_);
    for (EvaluationRequest& request : requests) request.wdl = {1e9f, 1e9f, -1e9f};
    under_way_.push_back(requests);
    submitted_ += static_cast<int>(requests.size());
  }
  void Wait() override {
    ASSERT_FALSE(under_way_.empty());
    ++waits_by_depth_[under_way_.size()];
    hash_.Evaluate(under_way_.front());
    under_way_.pop_front();
  }
  int max_in_flight() const override { return max_in_flight_; }

  bool is_idle() const { return under_way_.empty(); }
  int submitted() const { return submitted_; }
  int waits_with(size_t under_way) const { return waits_by_depth_[under_way]; }

 private:
  HashEvaluator hash_;
  int max_in_flight_;
  std::deque<std::span<EvaluationRequest>> under_way_;
  int submitted_ = 0;
  int waits_by_depth_[8] = {};
};

// Another thread answers.
class ThreadedEvaluator : public Evaluator {
 public:
  ThreadedEvaluator() : thread_([this] { Run(); }) {}
  ~ThreadedEvaluator() override {
    is_closing_ = true;
    has_work_.release();
    thread_.join();
  }
  void Evaluate(std::span<EvaluationRequest> requests) override {
    Submit(requests);
    Wait();
  }
  void Submit(std::span<EvaluationRequest> requests) override {
    batches_[submitted_++ % 2] = requests;
    has_work_.release();
  }
  void Wait() override { is_done_.acquire(); }
  int max_in_flight() const override { return 2; }

 private:
  void Run() {
    for (int next = 0;; ++next) {
      has_work_.acquire();
      if (is_closing_) return;
      hash_.Evaluate(batches_[next % 2]);
      is_done_.release();
    }
  }

  HashEvaluator hash_;
  std::span<EvaluationRequest> batches_[2];
  int submitted_ = 0;
  bool is_closing_ = false;
  std::counting_semaphore<4> has_work_{0};
  std::counting_semaphore<4> is_done_{0};
  std::thread thread_;
};

void Visit(TreeSearch* search, int64_t visits) {
  const int64_t end = search->visits() + visits;
  while (search->visits() < end) {
    if (search->RunBatch(static_cast<int>(end - search->visits())) == 0) break;
  }
}

std::string Fingerprint(const TreeSearch& search) {
  std::ostringstream text;
  for (const Edge& edge : search.RankedRootMoves()) {
    text << edge.move.bits() << ' ' << edge.visits << ' ' << edge.in_flight << ' ' << edge.value
         << '\n';
  }
  return text.str() + std::to_string(search.tree().used_bytes());
}

TEST(TreePipelineTest, TheNextBatchIsCollectedWhileOneIsUnderWay) {
  LateEvaluator evaluator(2);
  TreeSearch search(&evaluator, {.batch_size = 16});
  search.SetRoot(StartGame());
  Visit(&search, 4000);
  // Alone are the root, the last batch, and what a tree of a few nodes has to offer.
  EXPECT_LE(evaluator.waits_with(1), 6);
  EXPECT_GT(evaluator.waits_with(2), 200);
}

TEST(TreePipelineTest, NothingIsLost) {
  LateEvaluator evaluator(2);
  TreeSearch search(&evaluator, {.batch_size = 16});
  search.SetRoot(StartGame());
  Visit(&search, 4000);
  EXPECT_TRUE(evaluator.is_idle());
  EXPECT_EQ(search.visits(), 4000);
  uint32_t sum = 1;
  for (const Edge& edge : search.RankedRootMoves()) {
    EXPECT_EQ(edge.in_flight, 0);
    EXPECT_LE(std::abs(edge.value), 1);
    sum += edge.visits;
  }
  EXPECT_EQ(sum, search.root_edge().visits);
  EXPECT_EQ(sum, 4001u);
}

TEST(TreePipelineTest, TheSameTreeOnEveryRunAndWithAThread) {
  std::string first;
  for (int run = 0; run < 4; ++run) {
    LateEvaluator late(2);
    ThreadedEvaluator threaded;
    TreeSearch search(run % 2 == 0 ? static_cast<Evaluator*>(&late) : &threaded, {.batch_size = 8});
    search.SetRoot(StartGame());
    Visit(&search, 3000);
    if (run == 0) first = Fingerprint(search);
    EXPECT_EQ(Fingerprint(search), first) << run;
  }
}

TEST(TreePipelineTest, ChangesOfTheRootWaitForWhatIsUnderWay) {
  LateEvaluator evaluator(2);
  TreeSearch search(&evaluator, {.batch_size = 4});
  Game game = StartGame();
  search.SetRoot(game);
  search.RunBatch(100);
  EXPECT_GT(search.under_way(), 0);
  EXPECT_FALSE(evaluator.is_idle());
  const int64_t made = search.visits();
  const int under_way = search.under_way();
  const Move move = search.RankedRootMoves().front().move;
  game.Make(move);
  search.SetRoot(game);
  EXPECT_TRUE(evaluator.is_idle());
  EXPECT_EQ(search.under_way(), 0);
  EXPECT_EQ(search.visits(), made + under_way);
  search.RunBatch(100);
  search.Clear();
  EXPECT_TRUE(evaluator.is_idle());
}

TEST(TreePipelineTest, KeepsItsMemoryLimitWithBatchesUnderWay) {
  constexpr size_t kLimit = size_t{1} << 20;
  LateEvaluator evaluator(3);
  TreeSearch search(&evaluator, {.batch_size = 32, .max_tree_bytes = kLimit});
  search.SetRoot(StartGame());
  Visit(&search, 50000);
  EXPECT_EQ(search.visits(), 50000);
  EXPECT_LE(search.tree().used_bytes(), kLimit);
}

TEST(TreePipelineTest, SearchesEndWithAllAnswered) {
  LateEvaluator evaluator(2);
  TreeSearcher searcher(&evaluator, {.batch_size = 32});
  SearchSignal signal;
  SearchLimits limits;
  limits.nodes = 1000;
  searcher.SetGame(StartGame());
  const SearchResult result = searcher.Search(limits, signal, nullptr);
  EXPECT_TRUE(evaluator.is_idle());
  EXPECT_EQ(searcher.tree_search().under_way(), 0);
  EXPECT_EQ(result.progress.nodes, searcher.tree_search().visits());
  EXPECT_LE(result.progress.nodes, 1000);
  signal.Stop();
  limits.nodes = 0;
  limits.infinite = true;
  EXPECT_TRUE(searcher.Search(limits, signal, nullptr).best_move);
  EXPECT_TRUE(evaluator.is_idle());
}

}  // namespace
}  // namespace chuhe
