#include "selfplay/play/self_play_runner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <fstream>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/eval/simple_evaluators.h"
#include "gtest/gtest.h"
#include "selfplay/records/shard_writer.h"
#include "tests/selfplay/play/memory_store.h"
#include "tests/selfplay/play/small_games.h"
#include "tests/temporary_folder.h"

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

// Searches that find a mate at once hand a root to the other side that nobody has looked at.
TEST(SelfPlayRunnerTest, PlaysOnFromPositionsThatAreMatesInTwoOrThree) {
  const TemporaryFolder folder;
  std::ifstream mates(CHUHE_TEST_DATA "/mates.tsv");
  std::ofstream openings(folder.path("mates.txt"));
  std::string fen;
  std::string moves;
  std::getline(mates, fen);
  std::getline(mates, fen);
  while (std::getline(mates, fen, '\t') && std::getline(mates, moves)) {
    if (moves != "1") openings << fen << "\n";
  }
  openings.close();
  for (const bool gumbel : {true, false}) {
    SelfPlayRunnerOptions options = SmallRun(200);
    options.play.gumbel = gumbel;
    options.play.openings = folder.path("mates.txt");
    options.play.openings_share = 1;
    options.play.random_share = 0;
    options.play.policy_share = 0;
    int checkmates = 0;
    for (const std::string& bytes : Play(options)) {
      const GameRecord record = Decoded(bytes);
      checkmates += record.reason == Reason::kCheckmate ? 1 : 0;
    }
    EXPECT_GT(checkmates, 100);
  }
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

// Blocks until something is so, which is soon.
template <typename Condition>
void WaitUntil(const Condition& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(SelfPlayRunnerTest, AnotherNetworkIsTakenUpByGamesUnderWay) {
  MemoryStore store;
  SelfPlayRunnerOptions options = SmallRun(0);
  options.workers = 2;
  const auto runner = SelfPlayRunner::Start(options, NetworkNamed('a'), &store);
  ASSERT_TRUE(runner.ok()) << runner.status();
  WaitUntil([&] { return (*runner)->statistics().games > 0; });
  ASSERT_TRUE((*runner)->SetNetwork(NetworkNamed<UniformEvaluator>('b')).ok());
  const auto count = [&](const std::string& sha256, bool is_only) {
    int games = 0;
    for (const GameRecord& record : store.Records()) {
      games += record.networks.back().sha256 == sha256 && (record.networks.size() == 1) == is_only;
    }
    return games;
  };
  WaitUntil([&] { return count(NetworkName('b'), true) > 0; });
  EXPECT_TRUE((*runner)->Stop().ok());
  EXPECT_GT(count(NetworkName('a'), true), 0);
  EXPECT_GT(count(NetworkName('b'), false), 0);
}

TEST(SelfPlayRunnerTest, ANetworkThatCannotBeOpenedLeavesTheOldOne) {
  MemoryStore store;
  const auto runner = SelfPlayRunner::Start(SmallRun(0), NetworkNamed('a'), &store);
  ASSERT_TRUE(runner.ok()) << runner.status();
  PlayingNetwork broken = NetworkNamed('b');
  broken.open = [] { return absl::DataLossError("broken"); };
  EXPECT_EQ((*runner)->SetNetwork(broken).message(), "broken");
  const int64_t games = (*runner)->statistics().games;
  WaitUntil([&] { return (*runner)->statistics().games > games + 2; });
  EXPECT_TRUE((*runner)->Stop().ok());
  for (const GameRecord& record : store.Records()) EXPECT_EQ(record.networks.size(), 1u);
  EXPECT_EQ(SelfPlayRunner::Start(SmallRun(0), broken, &store).status().message(), "broken");
}

TEST(SelfPlayRunnerTest, WorkersThatAreNotActiveWait) {
  MemoryStore store;
  SelfPlayRunnerOptions options = SmallRun(0);
  options.workers = 2;
  const auto runner = SelfPlayRunner::Start(options, NetworkNamed('a'), &store);
  ASSERT_TRUE(runner.ok()) << runner.status();
  (*runner)->SetActiveWorkers(0);
  const int64_t before = (*runner)->statistics().evaluations;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ((*runner)->statistics().evaluations, before);
  (*runner)->SetActiveWorkers(1);
  WaitUntil([&] { return (*runner)->statistics().evaluations > before; });
  (*runner)->SetActiveWorkers(2);
  (*runner)->SetActiveWorkers(0);
  EXPECT_TRUE((*runner)->Stop().ok());
}

TEST(SelfPlayRunnerTest, ResignationsGoOnFromTheGamesOfEarlierProcesses) {
  const TemporaryFolder folder;
  SelfPlayRunnerOptions options = SmallRun(40);
  options.play.resign_value = 0;
  options.play.resign_moves = 1;
  options.play.resign_wrong = 1;
  options.play.resign_audit = 0;
  options.play.resign_min_games = 1000;
  const auto resigned = [](const std::vector<std::string>& games) {
    return std::count_if(games.begin(), games.end(), [](const std::string& bytes) {
      return Decoded(bytes).end == GameEnd::kResignation;
    });
  };
  const std::vector<std::string> games = Play(options);
  EXPECT_EQ(resigned(games), 0);
  {
    absl::StatusOr<ShardWriter> shard = ShardWriter::Create(folder.path("000000000000.games"), 0);
    ASSERT_TRUE(shard.ok()) << shard.status();
    for (const std::string& bytes : games) ASSERT_TRUE(shard->Add(CompressGame(bytes)).ok());
    ASSERT_TRUE(shard->Sync().ok());
  }
  options.play.resign_min_games = 40;
  options.earlier_games = folder.path("");
  SelfPlayRunnerOptions few = options;
  few.max_games = 1;
  EXPECT_EQ(resigned(Play(few)), 1);
}

TEST(SelfPlayRunnerTest, AStoreThatFailsEndsTheWorkWithItsError) {
  MemoryStore store;
  const auto runner = SelfPlayRunner::Start(SmallRun(0), NetworkNamed('a'), &store);
  ASSERT_TRUE(runner.ok()) << runner.status();
  store.FailWith(absl::ResourceExhaustedError("disk full"));
  WaitUntil([&] { return !(*runner)->status().ok(); });
  EXPECT_EQ((*runner)->Stop().message(), "disk full");
}

TEST(SelfPlayRunnerTest, GamesUnderWayGoOnWithTheNextStart) {
  const TemporaryFolder folder;
  MemoryStore store;
  SelfPlayRunnerOptions options = SmallRun(0);
  options.journal_folder = folder.path("journal");
  {
    const auto runner = SelfPlayRunner::Start(options, NetworkNamed('a'), &store);
    ASSERT_TRUE(runner.ok()) << runner.status();
    WaitUntil([&] { return (*runner)->statistics().games > 3; });
    EXPECT_EQ(SelfPlayRunner::Start(options, NetworkNamed('a'), &store).status().code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_TRUE((*runner)->Stop().ok());
  }
  options.max_games = 5;
  options.workers = 3;
  const auto runner = SelfPlayRunner::Start(options, NetworkNamed('b'), &store);
  ASSERT_TRUE(runner.ok()) << runner.status();
  WaitUntil([&] { return (*runner)->is_finished(); });
  EXPECT_TRUE((*runner)->Stop().ok());
  int both = 0;
  std::set<uint64_t> seeds;
  for (const GameRecord& record : store.Records()) {
    seeds.insert(record.seed);
    both += record.networks.size() == 2 ? 1 : 0;
  }
  EXPECT_EQ(seeds.size(), store.games().size());
  EXPECT_GT(both, 0);
}

// Says that it can take two batches at once, and checks that it is used so.
class TwoBatchEvaluator : public Evaluator {
 public:
  explicit TwoBatchEvaluator(std::atomic<int>* most) : most_(most) {}
  void Evaluate(std::span<EvaluationRequest> requests) override {
    HashEvaluator().Evaluate(requests);
  }
  void Submit(std::span<EvaluationRequest> requests) override {
    under_way_.push_back(requests);
    *most_ = std::max(most_->load(), static_cast<int>(under_way_.size()));
  }
  void Wait() override {
    Evaluate(under_way_.front());
    under_way_.pop_front();
  }
  int max_in_flight() const override { return 2; }

 private:
  std::atomic<int>* most_;
  std::deque<std::span<EvaluationRequest>> under_way_;
};

TEST(SelfPlayRunnerTest, ADeviceGetsOneHalfOfTheGamesWhileTheOtherIsSearched) {
  MemoryStore store;
  std::atomic<int> most = 0;
  PlayingNetwork network = NetworkNamed('a');
  network.open = [&most] { return std::make_unique<TwoBatchEvaluator>(&most); };
  const auto runner = SelfPlayRunner::Start(SmallRun(8), network, &store);
  ASSERT_TRUE(runner.ok()) << runner.status();
  WaitUntil([&] { return (*runner)->is_finished(); });
  EXPECT_TRUE((*runner)->Stop().ok());
  EXPECT_EQ(store.Records().size(), 8u);
  EXPECT_EQ(most, 2);
}

}  // namespace
}  // namespace chuhe
