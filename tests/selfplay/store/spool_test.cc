#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/records/shard_writer.h"
#include "selfplay/store/game_files.h"
#include "selfplay/store/shard_folder.h"
#include "selfplay/store/spool_folder.h"
#include "selfplay/store/spool_ingester.h"
#include "tests/selfplay/records/random_records.h"
#include "tests/selfplay/store/store_process.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

namespace fs = std::filesystem;
using ::chuhe::testing::DistinctGames;
using ::chuhe::testing::GamesInShards;
using ::chuhe::testing::IngestGames;
using ::chuhe::testing::PutGames;
using ::chuhe::testing::RandomRecord;
using ::chuhe::testing::Receipts;
using ::chuhe::testing::SameRecord;
using ::chuhe::testing::StoreProcess;
using ::chuhe::testing::TemporaryFolder;
using ::testing::HasSubstr;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class SpoolTest : public ::testing::Test {
 protected:
  void PutAll(const std::vector<std::string>& games) {
    const auto store = SpoolStore::Open(games_);
    ASSERT_TRUE(store.ok()) << store.status();
    for (const std::string& game : games) {
      const auto id = (*store)->Put(game);
      ASSERT_TRUE(id.ok()) << id.status();
      EXPECT_EQ(*id, IdOf(game));
    }
  }
  IngestReport Ingest(const IngestOptions& options = {}) {
    const auto ingester = SpoolIngester::Open(games_, options);
    EXPECT_TRUE(ingester.ok()) << ingester.status();
    if (!ingester.ok()) return {};
    const auto report = (*ingester)->Ingest();
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *report : IngestReport{};
  }

  TemporaryFolder folder_;
  const std::string games_ = folder_.path("games");
};

TEST_F(SpoolTest, GamesComeThroughOnce) {
  const std::vector<std::string> games = DistinctGames(20);
  PutAll(games);
  PutAll({games[3], games[4]});
  EXPECT_EQ(NamesIn(games_ + "/incoming").size(), 20u);
  EXPECT_EQ(Ingest({.max_shard_bytes = 3000}).ingested, 20);
  EXPECT_TRUE(NamesIn(games_ + "/incoming").empty());
  PutAll({games[7]});
  const IngestReport again = Ingest({.max_shard_bytes = 3000});
  EXPECT_EQ(again.ingested, 0);
  EXPECT_EQ(again.duplicates, 1);
  std::vector<GameId> expected;
  for (const std::string& game : games) expected.push_back(IdOf(game));
  EXPECT_THAT(GamesInShards(games_), ::testing::UnorderedElementsAreArray(expected));
  EXPECT_GT(NamesIn(games_ + "/shards").size(), 3u);
}

// As an ingester leaves them that is killed before it has tidied up.
TEST_F(SpoolTest, GamesInTwoFilesAreVisitedOnce) {
  const std::vector<std::string> games = DistinctGames(5);
  PutAll(games);
  const std::string aside = folder_.path("aside");
  fs::copy(games_ + "/incoming", aside);
  EXPECT_EQ(Ingest().ingested, 5);
  fs::copy(aside, games_ + "/incoming");
  ASSERT_EQ(NamesIn(games_ + "/incoming").size(), 5u);
  std::vector<std::string> visited;
  const GameVisitor visitor = [&](const std::string& place,
                                  const absl::StatusOr<GameRecord>& game) {
    EXPECT_TRUE(game.ok()) << place << ": " << game.status();
    visited.push_back(IdOf(*EncodeGame(*game)).Hex());
    return true;
  };
  ASSERT_TRUE(VisitGames(games_, Judging::kRejudge, visitor).ok());
  std::vector<std::string> expected;
  for (const std::string& game : games) expected.push_back(IdOf(game).Hex());
  EXPECT_THAT(visited, ::testing::UnorderedElementsAreArray(expected));

  // The second copy is looked at all the same.
  const std::string shard = games_ + "/shards/" + NamesIn(games_ + "/shards")[0];
  std::fstream(shard, std::ios::in | std::ios::out | std::ios::binary).seekp(100).put('?');
  int faults = 0;
  const auto counting = [&](const std::string&, const absl::StatusOr<GameRecord>& game) {
    faults += game.ok() ? 0 : 1;
    return true;
  };
  ASSERT_TRUE(VisitGames(games_, Judging::kRejudge, counting).ok());
  EXPECT_GT(faults, 0);
}

TEST_F(SpoolTest, GamesAreReadByTheirNumbers) {
  PutAll(DistinctGames(12));
  Ingest({.max_shard_bytes = 3000});
  auto shards = ShardFolder::Open(games_ + "/shards");
  ASSERT_TRUE(shards.ok()) << shards.status();
  ASSERT_EQ(shards->size(), 12u);
  EXPECT_EQ(shards->begin(), 0u);
  EXPECT_EQ(shards->end(), 12u);
  std::set<uint64_t> seeds;
  for (uint64_t number = 0; number < 12; ++number) {
    const auto game = shards->ReadGame(number);
    ASSERT_TRUE(game.ok()) << game.status();
    EXPECT_TRUE(SameRecord(*game, RandomRecord(game->seed, 10)));
    seeds.insert(game->seed);
  }
  EXPECT_EQ(seeds.size(), 12u);
  EXPECT_TRUE(absl::IsNotFound(shards->ReadGame(12).status()));

  PutAll({EncodeGame(RandomRecord(100, 10)).value()});
  Ingest({.max_shard_bytes = 1});
  ASSERT_TRUE(shards->Refresh().ok());
  EXPECT_EQ(shards->ReadGame(12).value().seed, 100u);
  shards->Forget(12);
  EXPECT_EQ(shards->begin(), 12u);
  EXPECT_TRUE(absl::IsNotFound(shards->ReadGame(3).status()));
  ASSERT_TRUE(shards->Refresh().ok());
  EXPECT_EQ(shards->size(), 1u);
}

TEST_F(SpoolTest, BadGamesGoToQuarantineWithTheirReasons) {
  GameRecord wrong = RandomRecord(1, 10);
  wrong.end = GameEnd::kRules;
  wrong.outcome = Outcome::kRedLoses;
  wrong.reason = Reason::kCheckmate;
  const std::string misjudged = EncodeGame(wrong).value();
  PutAll({misjudged, "no record", DistinctGames(1)[0]});
  std::ofstream(games_ + "/incoming/rubbish.games") << "rubbish";
  const IngestReport report = Ingest();
  EXPECT_EQ(report.ingested, 1);
  EXPECT_EQ(report.quarantined, 3);
  EXPECT_NE(report.first_problem, "");
  EXPECT_TRUE(NamesIn(games_ + "/incoming").empty());
  const std::string place = games_ + "/quarantine/";
  EXPECT_EQ(NamesIn(place).size(), 6u);
  EXPECT_THAT(ReadFile(place + IdOf(misjudged).Hex() + ".reason"),
              HasSubstr("the record says red loses by checkmate"));
  EXPECT_EQ(ReadFile(place + IdOf(misjudged).Hex() + ".games"), OneGameShard(misjudged));
  EXPECT_THAT(ReadFile(place + IdOf("no record").Hex() + ".reason"), HasSubstr("FlatBuffers"));
  EXPECT_EQ(ReadFile(place + "rubbish.games"), "rubbish");
}

TEST_F(SpoolTest, DamagedShardsAreLeftAsTheyAre) {
  const std::vector<std::string> games = DistinctGames(3);
  PutAll({games[0], games[1]});
  Ingest();
  const std::string path = games_ + "/shards/000000000000.games";
  std::string bytes = ReadFile(path);
  bytes[40] = static_cast<char>(bytes[40] + 1);
  std::ofstream(path, std::ios::binary) << bytes;
  PutAll({games[2]});
  EXPECT_EQ(Ingest().ingested, 1);
  EXPECT_EQ(ReadFile(path), bytes);
  EXPECT_TRUE(fs::exists(games_ + "/shards/000000000001.games"));
}

TEST_F(SpoolTest, OneIngesterAtATime) {
  const auto first = SpoolIngester::Open(games_);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = SpoolIngester::Open(games_);
  EXPECT_THAT(std::string(second.status().message()), HasSubstr("another ingester"));
}

TEST_F(SpoolTest, KilledWritersLoseNoReceipt) {
  const std::vector<std::string> games = DistinctGames(3);
  for (const WriteStep step :
       {WriteStep::kWritten, WriteStep::kSynced, WriteStep::kRenamed, WriteStep::kFolderSynced}) {
    const std::string folder = folder_.path("games" + std::to_string(static_cast<int>(step)));
    StoreProcess writer([&](int tell) { PutGames(folder, games, tell, step, 2); });
    EXPECT_FALSE(writer.Wait());
    EXPECT_THAT(Receipts(writer.told()), ::testing::ElementsAre(IdOf(games[0])));
    StoreProcess([&](int) { IngestGames(folder, false); }).Wait();
    const bool is_handed_over = step >= WriteStep::kRenamed;
    EXPECT_EQ(GamesInShards(folder).size(), is_handed_over ? 2u : 1u);
    StoreProcess again([&](int tell) { PutGames(folder, games, tell); });
    EXPECT_TRUE(again.Wait());
    EXPECT_TRUE(StoreProcess([&](int) { IngestGames(folder, false); }).Wait());
    EXPECT_THAT(GamesInShards(folder),
                ::testing::UnorderedElementsAre(IdOf(games[0]), IdOf(games[1]), IdOf(games[2])));
  }
}

TEST_F(SpoolTest, KilledIngestersNeitherLoseNorDouble) {
  std::vector<std::string> games = DistinctGames(6);
  std::vector<GameId> expected;
  for (const std::string& game : games) expected.push_back(IdOf(game));
  games.push_back("no record");
  for (const IngestStep step :
       {IngestStep::kShardCreated, IngestStep::kAppended, IngestStep::kSynced, IngestStep::kRemoved,
        IngestStep::kReasonWritten, IngestStep::kQuarantined}) {
    for (const int count : {1, 2, 5}) {
      const std::string folder = folder_.path("games" + std::to_string(static_cast<int>(step)) +
                                              "-" + std::to_string(count));
      StoreProcess([&](int tell) { PutGames(folder, games, tell); }).Wait();
      StoreProcess killed([&](int) { IngestGames(folder, false, step, count); });
      if (count == 1) {
        EXPECT_FALSE(killed.Wait());
      }
      killed.Wait();
      EXPECT_TRUE(StoreProcess([&](int) { IngestGames(folder, false); }).Wait());
      EXPECT_THAT(GamesInShards(folder), ::testing::UnorderedElementsAreArray(expected));
      EXPECT_TRUE(NamesIn(folder + "/incoming").empty());
      EXPECT_EQ(NamesIn(folder + "/quarantine").size(), 2u);
    }
  }
}

}  // namespace
}  // namespace chuhe
