// What the wrappers of engine/eval promise to the search: the same tree.
#include <memory>
#include <sstream>
#include <string>

#include "engine/eval/async_evaluator.h"
#include "engine/eval/batching_evaluator.h"
#include "engine/eval/caching_evaluator.h"
#include "engine/search/tree_search.h"
#include "gtest/gtest.h"
#include "tests/engine/eval/questions.h"

namespace chuhe {
namespace {

constexpr int kVisits = 4000;

// A search and then one more after the best move, in words that tell trees apart.
std::string TreeOf(Evaluator* evaluator, int batch_size) {
  TreeSearch search(evaluator, {.batch_size = batch_size});
  Game game(Position::Start());
  std::ostringstream text;
  text.precision(9);
  for (int ply = 0; ply < 2; ++ply) {
    search.SetRoot(game);
    const int64_t end = search.visits() + kVisits;
    while (search.visits() < end && search.RunBatch(static_cast<int>(end - search.visits())) > 0) {
    }
    for (const Edge& edge : search.RankedRootMoves()) {
      text << edge.move.bits() << ' ' << edge.visits << ' ' << edge.value << ' ' << edge.plies_left
           << ':';
      for (const Move move : search.LineFrom(edge)) text << ' ' << move.bits();
      text << '\n';
    }
    text << search.mean_path() << '\n';
    game.Make(search.RankedRootMoves().front().move);
  }
  return text.str();
}

TEST(CachedSearchTest, ACacheDoesNotChangeTheTree) {
  for (const int batch_size : {1, 16}) {
    WholeQuestionEvaluator plain;
    const std::string expected = TreeOf(&plain, batch_size);
    EvaluationCache cache(8);
    CachingEvaluator caching(std::make_unique<WholeQuestionEvaluator>(), &cache, "");
    EXPECT_EQ(TreeOf(&caching, batch_size), expected);  // most is not known
    EXPECT_EQ(TreeOf(&caching, batch_size), expected);  // most is known
    EXPECT_GT(cache.statistics().hits, kVisits / 2);
  }
}

TEST(CachedSearchTest, BatchingDoesNotChangeTheTree) {
  WholeQuestionEvaluator plain;
  const std::string expected = TreeOf(&plain, 16);
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  evaluators.push_back(std::make_unique<WholeQuestionEvaluator>());
  BatchingEvaluator batching(std::move(evaluators), {24, std::chrono::microseconds(100)});
  std::string trees[2];
  {
    std::vector<std::jthread> threads;
    for (std::string& tree : trees) {
      threads.emplace_back([&] {
        // Seen as one that takes a batch at a time, so that the search collects as with `plain`.
        class OneAtATime : public Evaluator {
         public:
          explicit OneAtATime(Evaluator* inner) : inner_(inner) {}
          void Evaluate(std::span<EvaluationRequest> requests) override {
            inner_->Evaluate(requests);
          }

         private:
          Evaluator* inner_;
        };
        const auto front = batching.NewFront();
        OneAtATime evaluator(front.get());
        tree = TreeOf(&evaluator, 16);
      });
    }
  }
  EXPECT_EQ(trees[0], expected);
  EXPECT_EQ(trees[1], expected);
}

}  // namespace
}  // namespace chuhe
