// A process that plays is killed again and again: its games go on where they were.
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "engine/base/random.h"
#include "gtest/gtest.h"
#include "selfplay/play/game_journal.h"
#include "selfplay/play/self_play_runner.h"
#include "selfplay/store/game_files.h"
#include "selfplay/store/spool_folder.h"
#include "selfplay/store/spool_ingester.h"
#include "tests/selfplay/play/small_games.h"
#include "tests/selfplay/store/store_process.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using namespace chuhe::testing;  // NOLINT(google-build-using-namespace): only here

// So slow that a game outlives several kills, however fast the machine is.
class SlowEvaluator : public HashEvaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    HashEvaluator::Evaluate(requests);
  }
};

// Plays until it is killed.
void PlayForEver(const std::string& folder, int tell) {
  const auto store = SpoolStore::Open(folder + "/games");
  SelfPlayRunnerOptions options;
  options.play = SmallGames();
  options.journal_folder = folder + "/journal";
  options.workers = 2;
  options.clock = [] { return int64_t{0}; };
  if (!store.ok()) _exit(EXIT_FAILURE);
  const auto runner =
      SelfPlayRunner::Start(options, NetworkNamed<SlowEvaluator>('a'), store->get());
  if (!runner.ok() || write(tell, "s", 1) != 1) _exit(EXIT_FAILURE);
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

TEST(SelfPlayKillTest, GamesGoOnWhereTheyWereAndNoneIsLostOrDoubled) {
  constexpr int kKills = 15;
  const TemporaryFolder temporary;
  const std::string folder = temporary.path("run");
  std::filesystem::create_directories(folder);
  Random random(3);
  std::map<int64_t, std::vector<Move>> under_way;  // at the last kill
  int64_t next_number = 0;
  int resumed = 0;
  std::set<uint64_t> seeds;  // of games that were under way at any kill
  for (int kill = 0; kill < kKills; ++kill) {
    StoreProcess player([&](int tell) { PlayForEver(folder, tell); });
    // Not a wait for anything: it chooses the instant of the kill.
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random.Below(60)));
    player.Kill();
    const auto journals = JournalFolder::Open(folder + "/journal");
    ASSERT_TRUE(journals.ok()) << journals.status();
    const JournalContent& now = journals->content();
    EXPECT_GE(now.next_number, next_number);
    for (const auto& [number, moves] : under_way) {
      const auto game = now.games.find(number);
      if (game == now.games.end()) continue;  // finished meanwhile
      ASSERT_GE(game->second.plies.size(), moves.size()) << number;
      for (size_t i = 0; i < moves.size(); ++i) {
        ASSERT_EQ(game->second.plies[i].move, moves[i]) << number;
      }
      ++resumed;
    }
    under_way.clear();
    for (const auto& [number, record] : now.games) {
      seeds.insert(record.seed);
      for (const PlyRecord& ply : record.plies) under_way[number].push_back(ply.move);
    }
    next_number = now.next_number;
  }
  EXPECT_GT(resumed, 0);

  // Plays the games that are left, and no others.
  {
    const auto store = SpoolStore::Open(folder + "/games");
    ASSERT_TRUE(store.ok());
    SelfPlayRunnerOptions options;
    options.play = SmallGames();
    options.play.fork_share = 0;
    options.journal_folder = folder + "/journal";
    options.max_games = 1;
    const auto runner = SelfPlayRunner::Start(options, NetworkNamed('a'), store->get());
    ASSERT_TRUE(runner.ok()) << runner.status();
    while (!(*runner)->is_finished()) std::this_thread::yield();
    EXPECT_TRUE((*runner)->Stop().ok());
  }
  const auto ingester = SpoolIngester::Open(folder + "/games");
  ASSERT_TRUE(ingester.ok());
  const auto report = (*ingester)->Ingest();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->quarantined, 0);
  EXPECT_GT(report->ingested, 0);
  std::map<uint64_t, int> games;  // by seed
  const absl::Status status =
      VisitGames(folder + "/games", Judging::kRejudge,
                 [&](const std::string& place, const absl::StatusOr<GameRecord>& game) {
                   EXPECT_TRUE(game.ok()) << place << game.status();
                   if (game.ok()) ++games[game->seed];
                   return true;
                 });
  EXPECT_TRUE(status.ok()) << status;
  for (const auto& [seed, count] : games) EXPECT_EQ(count, 1) << seed;
  for (const uint64_t seed : seeds) EXPECT_EQ(games.count(seed), 1u) << seed;
  EXPECT_EQ(games.size(), static_cast<size_t>(next_number + 1));
}

}  // namespace
}  // namespace chuhe
