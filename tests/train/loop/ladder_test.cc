#include "train/loop/ladder.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "engine/eval/simple_evaluators.h"
#include "engine/search/tree_searcher.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

// A search without a network that plays in the place of one.
class UniformSearcher : public Searcher {
 public:
  void SetGame(const Game& game) override { searcher_.SetGame(game); }
  void Clear() override { searcher_.Clear(); }
  SearchResult Search(const SearchLimits& limits, const SearchSignal& signal,
                      const ProgressSink& sink) override {
    return searcher_.Search(limits, signal, sink);
  }

 private:
  UniformEvaluator evaluator_;
  TreeSearcher searcher_{&evaluator_, TreeSearcherOptions{}};
};

absl::StatusOr<BuiltinEngine> MakeUniform(const EngineSpec& /*engine*/) {
  BuiltinEngine engine;
  engine.searcher = std::make_unique<UniformSearcher>();
  engine.limits.nodes = 4;
  return engine;
}

LadderOptions ShortGames() {
  LadderOptions options;
  options.games = 2;
  options.ply_cap = 30;
  return options;
}

int GamesOf(const LadderResult& result) {
  return result.red_wins + result.draws + result.black_wins;
}

TEST(LadderTest, MeetsAnchorsAndNetworksOneTwoAndFourGenerationsBack) {
  LadderOptions options = ShortGames();
  options.earlier = 3;
  const std::vector<LadderNetwork> earlier = {{0, "a"}, {1, "b"}, {2, "c"}, {3, "d"}, {4, "e"}};
  const std::atomic<bool> stop = false;
  const absl::StatusOr<std::vector<LadderResult>> results =
      PlayLadder(options, {5, "f"}, earlier, "", MakeUniform, stop);
  ASSERT_TRUE(results.ok()) << results.status();
  std::map<std::string, int> games;
  for (const LadderResult& result : *results) {
    EXPECT_TRUE(result.red == "gen-5" || result.black == "gen-5");
    games[result.red == "gen-5" ? result.black : result.red] += GamesOf(result);
  }
  const std::map<std::string, int> expected = {
      {"random", 2}, {"alphabeta:1", 2}, {"alphabeta:2", 2}, {"alphabeta:3", 2},
      {"gen-1", 2},  {"gen-3", 2},       {"gen-4", 2}};
  EXPECT_EQ(games, expected);
}

TEST(LadderTest, GoesOnFromItsJournal) {
  const testing::TemporaryFolder folder;
  const std::string journal = folder.path("ladder.jsonl");
  const std::atomic<bool> stop = false;
  const auto play = [&](const BuiltinFactory& factory) {
    return PlayLadder(ShortGames(), {0, "f"}, {}, journal, factory, stop);
  };
  const absl::StatusOr<std::vector<LadderResult>> first = play(MakeUniform);
  ASSERT_TRUE(first.ok()) << first.status();
  // Nothing is left to play, so no player is made.
  const absl::StatusOr<std::vector<LadderResult>> again =
      play([](const EngineSpec&) -> absl::StatusOr<BuiltinEngine> {
        return absl::InternalError("played again");
      });
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, *first);
}

TEST(LadderTest, IsCancelledByTheFlag) {
  const std::atomic<bool> stop = true;
  LadderOptions options = ShortGames();
  options.games = 1000;
  const auto results = PlayLadder(options, {0, "f"}, {}, "", MakeUniform, stop);
  EXPECT_TRUE(absl::IsCancelled(results.status())) << results.status();
}

Generation WithLadder(std::vector<LadderResult> results) {
  Generation generation;
  generation.ladder = std::move(results);
  return generation;
}

std::map<std::string, double> EloOf(const std::vector<Generation>& generations) {
  const absl::StatusOr<std::vector<LadderRating>> ratings = RateRun(generations);
  EXPECT_TRUE(ratings.ok()) << ratings.status();
  std::map<std::string, double> elo;
  if (!ratings.ok()) return elo;
  for (const LadderRating& rating : *ratings) elo[rating.player] = rating.rating.elo;
  return elo;
}

TEST(LadderTest, RatesOnTheAnchorsScale) {
  // Three points of four are 191 Elo; the prior takes next to nothing of that.
  std::map<std::string, double> elo = EloOf({WithLadder({{"gen-0", "alphabeta:1", 7500, 0, 2500},
                                                         {"alphabeta:1", "gen-0", 2500, 0, 7500},
                                                         {"gen-0", "random", 7500, 0, 2500},
                                                         {"random", "gen-0", 2500, 0, 7500}})});
  EXPECT_NEAR(elo["alphabeta:1"], 1000, 1e-9);
  EXPECT_NEAR(elo["gen-0"], 1191, 1);
  EXPECT_NEAR(elo["random"], 1000, 1);
}

TEST(LadderTest, RatesThoseWhoWonEverything) {
  std::map<std::string, double> elo =
      EloOf({WithLadder({{"gen-0", "alphabeta:1", 10, 0, 0}, {"alphabeta:1", "gen-0", 0, 0, 10}})});
  EXPECT_GT(elo["gen-0"], 1300);
  EXPECT_LT(elo["gen-0"], 2500);
}

TEST(LadderTest, RatesNobodyWithoutGames) {
  const absl::StatusOr<std::vector<LadderRating>> ratings = RateRun({Generation{}});
  ASSERT_TRUE(ratings.ok()) << ratings.status();
  EXPECT_TRUE(ratings->empty());
}

}  // namespace
}  // namespace chuhe
