// Writers and an ingester at work together are killed hundreds of times.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/random.h"
#include "gtest/gtest.h"
#include "tests/selfplay/store/store_process.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using namespace chuhe::testing;  // NOLINT(google-build-using-namespace): only here

TEST(SpoolKillSlowTest, EveryReceiptIsKeptAndNoGameIsDoubled) {
  constexpr int kKills = 300;
  const TemporaryFolder temporary;
  const std::string folder = temporary.path("games");
  const std::vector<std::string> games = DistinctGames(2000);
  Random random(7);
  std::set<GameId> receipts;
  int busy_kills = 0;
  const auto start_writer = [&] {
    // A shuffled part of the games, so that many are put again and again.
    std::vector<std::string> part;
    for (int i = 0; i < 200; ++i) part.push_back(games[random.Below(games.size())]);
    return std::make_unique<StoreProcess>([&, part](int tell) { PutGames(folder, part, tell); });
  };
  const auto start_ingester = [&] {
    return std::make_unique<StoreProcess>([&](int) { IngestGames(folder, true); });
  };
  auto writer = start_writer();
  auto ingester = start_ingester();
  for (int i = 0; i < kKills; ++i) {
    // Not a wait for anything: it chooses the instant of the kill.
    std::this_thread::sleep_for(std::chrono::microseconds(random.Below(40'000)));
    if (random.Below(2) == 0) {
      writer->Kill();
      receipts.merge(Receipts(writer->told()));
      writer = start_writer();
    } else {
      busy_kills += std::filesystem::is_empty(folder + "/incoming") ? 0 : 1;
      ingester->Kill();
      ingester = start_ingester();
    }
  }
  writer->Kill();
  receipts.merge(Receipts(writer->told()));
  ingester->Kill();
  EXPECT_TRUE(StoreProcess([&](int) { IngestGames(folder, false); }).Wait());

  std::vector<GameId> kept = GamesInShards(folder);
  std::sort(kept.begin(), kept.end());
  EXPECT_TRUE(std::adjacent_find(kept.begin(), kept.end()) == kept.end());
  EXPECT_TRUE(std::includes(kept.begin(), kept.end(), receipts.begin(), receipts.end()));
  EXPECT_TRUE(std::filesystem::is_empty(folder + "/quarantine"));
  // Else the test has killed nothing at work.
  EXPECT_GT(busy_kills, 20);
  EXPECT_GT(receipts.size(), 100u);
}

}  // namespace
}  // namespace chuhe
