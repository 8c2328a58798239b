#include "selfplay/play/self_play_runner.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "engine/eval/scripted_evaluator.h"
#include "gtest/gtest.h"
#include "tests/selfplay/play/memory_store.h"
#include "tests/selfplay/play/small_games.h"
#include "tests/selfplay/temporary_folder.h"

namespace chuhe {
namespace {

using namespace chuhe::testing;  // NOLINT(google-build-using-namespace): only here

SelfPlayRunnerOptions SmallRun(int64_t games) {
  SelfPlayRunnerOptions options;
  options.play = SmallGames();
  options.max_games = games;
  options.seed = 5;
  options.worker_name = "tester";
  options.clock = [] { return int64_t{1000}; };
  return options;
}

// Plays to the end; the games in the order in which they were finished.
std::vector<std::string> Play(const SelfPlayRunnerOptions& options,
                              SelfPlayStatistics* statistics = nullptr) {
  MemoryStore store;
  auto runner = SelfPlayRunner::Start(options, NetworkNamed('a'), &store);
  EXPECT_TRUE(runner.ok()) << runner.status();
  while (!(*runner)->is_finished()) std::this_thread::yield();
  if (statistics != nullptr) *statistics = (*runner)->statistics();
  EXPECT_TRUE((*runner)->Stop().ok());
  EXPECT_EQ(store.Records().size(), store.games().size());
  return store.games();
}

GameRecord Decoded(const std::string& bytes) { return *DecodeGame(bytes, Judging::kRejudge); }

TEST(SelfPlayRunnerTest, PlaysTheGamesThatAreAskedForAndStoresThem) {
  SelfPlayStatistics statistics;
  const std::vector<std::string> games = Play(SmallRun(12), &statistics);
  ASSERT_EQ(games.size(), 12u);
  int64_t plies = 0;
  for (const std::string& bytes : games) {
    const GameRecord record = Decoded(bytes);
    plies += static_cast<int64_t>(record.plies.size());
    EXPECT_EQ(record.worker, "tester");
    EXPECT_EQ(record.finished_at, 1000);
    EXPECT_EQ(record.networks.front().sha256, NetworkName('a'));
  }
  EXPECT_EQ(statistics.games, 12);
  EXPECT_EQ(statistics.plies, plies);
  EXPECT_EQ(statistics.red_wins + statistics.draws + statistics.black_wins, 12);
  EXPECT_GT(statistics.samples, 0);
  EXPECT_GT(statistics.positions, statistics.samples);
  EXPECT_GT(statistics.evaluations, statistics.positions);
  EXPECT_EQ(statistics.games_under_way, 0);
}

TEST(SelfPlayRunnerTest, OneWorkerPlaysTheSameGamesFromTheSameSeed) {
  for (const bool gumbel : {true, false}) {
    SelfPlayRunnerOptions options = SmallRun(10);
    options.play.gumbel = gumbel;
    const std::vector<std::string> games = Play(options);
    EXPECT_EQ(games, Play(options)) << gumbel;
    options.seed = 6;
    EXPECT_NE(games, Play(options)) << gumbel;
  }
}

TEST(SelfPlayRunnerTest, SeveralWorkersPlayGamesOfTheirOwn) {
  SelfPlayRunnerOptions options = SmallRun(30);
  options.workers = 3;
  std::vector<std::string> games = Play(options);
  ASSERT_EQ(games.size(), 30u);
  std::sort(games.begin(), games.end());
  EXPECT_EQ(std::adjacent_find(games.begin(), games.end()), games.end());
}

}  // namespace
}  // namespace chuhe
