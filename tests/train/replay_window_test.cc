#include "train/replay_window.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temporary_folder.h"
#include "tests/train/self_play_games.h"
#include "train/batch.h"
#include "train/replay_chunk.h"
#include "train/replay_source.h"
#include "train/token_bucket.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

TEST(WindowPositionsTest, GrowsByThePowerLawFromTheLeast) {
  EXPECT_EQ(WindowPositions(0, 1000, 0.75), 0);
  EXPECT_EQ(WindowPositions(999, 1000, 0.75), 999);
  EXPECT_EQ(WindowPositions(1000, 1000, 0.75), 1000);
  EXPECT_EQ(WindowPositions(16000, 1000, 0.75), 8000);
  EXPECT_EQ(WindowPositions(16000, 1000, 1), 16000);
  EXPECT_EQ(WindowPositions(16000, 1000, 0), 1000);
}

TEST(TokenBucketTest, PositionsPayForBatches) {
  TokenBucket bucket(4);
  EXPECT_EQ(bucket.Batches(256), 0);
  bucket.Pay(63);
  EXPECT_EQ(bucket.Batches(256), 0);
  bucket.Pay(1);
  EXPECT_EQ(bucket.Batches(256), 1);
  bucket.Pay(1000);
  EXPECT_EQ(bucket.Batches(256), 16);
  bucket.Take(16 * 256);
  EXPECT_EQ(bucket.Batches(256), 0);
  EXPECT_EQ(bucket.samples(), 160);
  bucket.Take(256);  // of a chunk that a larger batch made dearer
  EXPECT_EQ(bucket.Batches(256), 0);
}

class ReplayWindowTest : public ::testing::Test {
 protected:
  ReplayWindow OpenWindow(int64_t min_positions, double exponent, int threads = 1) const {
    auto window = ReplayWindow::Open(games_folder_ + "/shards", {min_positions, exponent, threads});
    EXPECT_TRUE(window.ok()) << window.status();
    return *std::move(window);
  }

  testing::TemporaryFolder folder_;
  std::string games_folder_ = folder_.path("games");
};

TEST_F(ReplayWindowTest, KeepsTheNewestWholeGamesAsTheyComeIn) {
  const std::vector<GameRecord> games = SelfPlayGames(30, 20);  // 10 positions each
  StoreGames(games_folder_, {games.begin(), games.begin() + 5}, /*max_shard_bytes=*/1000);
  ReplayWindow window = OpenWindow(100, 0.5);
  EXPECT_EQ(window.Refresh().value(), 50);
  EXPECT_EQ(window.bounds(), (WindowBounds{0, 5, 50}));
  EXPECT_EQ(window.Refresh().value(), 0);
  StoreGames(games_folder_, {games.begin() + 5, games.end()}, /*max_shard_bytes=*/1000);
  EXPECT_EQ(window.Refresh().value(), 250);
  // 100 · (300 / 100) ^ 0.5 = 173 positions: 18 games.
  EXPECT_EQ(window.bounds(), (WindowBounds{12, 30, 300}));
  EXPECT_EQ(window.positions(), 180);
  EXPECT_EQ(window.games().size(), 18u);
  EXPECT_EQ(window.games()[0]->PositionAt(3), PackedGame(games[12]).PositionAt(3));
}

TEST_F(ReplayWindowTest, GamesWithoutPoliciesTakeNoRoom) {
  StoreGames(games_folder_, RandomGames(3, 12));
  StoreGames(games_folder_, SelfPlayGames(2, 20));
  ReplayWindow window = OpenWindow(10, 0);
  EXPECT_EQ(window.Refresh().value(), 20);
  EXPECT_EQ(window.bounds(), (WindowBounds{4, 5, 20}));
}

TEST_F(ReplayWindowTest, KnowsWhatTheLatestGamesCameTo) {
  std::vector<GameRecord> games = SelfPlayGames(7, 10);
  for (size_t i = 0; i < 4; ++i) {
    games[i].outcome = Outcome::kDraw;
    games[i].end = i < 3 ? GameEnd::kPlyCap : GameEnd::kAdjudicated;
    games[i].ply_cap = i < 3 ? 10 : 0;
  }
  StoreGames(games_folder_, games);
  StoreGames(games_folder_, RandomGames(1, 10));  // without positions, but a game
  ReplayWindow window = OpenWindow(100, 0.5);
  ASSERT_TRUE(window.Refresh().ok());
  EXPECT_EQ(window.recent_games().games, 8);
  EXPECT_EQ(window.recent_games().draws, 4);
  EXPECT_EQ(window.recent_games().capped, 3);
}

TEST_F(ReplayWindowTest, IsRestoredWithoutReadingWhatIsBeforeIt) {
  StoreGames(games_folder_, SelfPlayGames(30, 20), /*max_shard_bytes=*/1000);
  ReplayWindow window = OpenWindow(100, 0.5);
  window.Restore({10, 20, 200});
  EXPECT_EQ(window.bounds(), (WindowBounds{10, 20, 200}));
  EXPECT_EQ(window.positions(), 100);
  EXPECT_EQ(window.Refresh().value(), 100);
  EXPECT_EQ(window.bounds(), (WindowBounds{12, 30, 300}));
}

TEST_F(ReplayWindowTest, ThreadsMakeNoDifference) {
  StoreGames(games_folder_, SelfPlayGames(30, 20), /*max_shard_bytes=*/3000);
  ReplayWindow one = OpenWindow(100, 0.5, 1);
  ReplayWindow three = OpenWindow(100, 0.5, 3);
  ASSERT_TRUE(one.Refresh().ok() && three.Refresh().ok());
  EXPECT_EQ(one.bounds(), three.bounds());
  std::vector<Sample> samples(40);
  std::vector<Sample> same(40);
  ReplaySource(one.games(), 3).Fill(1, samples);
  ReplaySource(three.games(), 3).Fill(1, same);
  for (size_t i = 0; i < 40; ++i) EXPECT_EQ(samples[i].packed, same[i].packed);
}

TEST_F(ReplayWindowTest, LostAndDamagedGamesAreLeftOutAndCounted) {
  StoreGames(games_folder_, SelfPlayGames(6, 20));
  const std::string shard = games_folder_ + "/shards/000000000000.games";
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(shard));
  std::fstream file(shard, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(size - 3);  // in the last game
  file.put('\x55');
  file.close();
  ReplayWindow window = OpenWindow(100, 0.5);
  EXPECT_EQ(window.Refresh().value(), 50);
  EXPECT_EQ(window.unreadable_games(), 1);
  EXPECT_THAT(window.first_problem(), HasSubstr("game"));
  EXPECT_THAT(window.first_problem(), HasSubstr("000000000000.games"));

  ReplayWindow shorter = OpenWindow(100, 0.5);
  shorter.Restore({0, 8, 80});
  EXPECT_EQ(shorter.bounds(), (WindowBounds{0, 6, 80}));
  EXPECT_EQ(shorter.unreadable_games(), 3);
}

TEST_F(ReplayWindowTest, AFolderThatIsNotThereIsNamed) {
  EXPECT_THAT(ReplayWindow::Open(folder_.path("nothing"), {}).status().message(),
              HasSubstr("nothing"));
}

ReplayWindow::Games Pack(const std::vector<GameRecord>& games) {
  ReplayWindow::Games packed;
  for (const GameRecord& game : games) packed.push_back(std::make_shared<const PackedGame>(game));
  return packed;
}

std::string KeyOf(const PackedPosition& packed) {
  return {reinterpret_cast<const char*>(&packed), sizeof packed};
}

TEST(ReplaySourceTest, DrawsEveryPositionAlikeAndHalfOfThemMirrored) {
  ReplayWindow::Games games = Pack(SelfPlayGames(4, 40));  // 20 positions each
  games.insert(games.begin() + 1, nullptr);
  const ReplaySource source(games, 5);
  ASSERT_EQ(source.positions(), 80);
  std::map<std::string, int> drawn;
  std::vector<Sample> samples(100);
  constexpr int kSteps = 160;  // 200 samples a position
  for (uint64_t step = 0; step < kSteps; ++step) {
    source.Fill(step, samples);
    for (const Sample& sample : samples) ++drawn[KeyOf(sample.packed)];
  }
  std::set<std::string> known;
  for (const auto& game : games) {
    for (int i = 0; game != nullptr && i < game->size(); ++i) {
      const PackedPosition& packed = game->PositionAt(i);
      if (!known.insert(KeyOf(packed)).second) continue;  // the start of all games
      const int straight = drawn[KeyOf(packed)];
      const int mirrored = drawn[KeyOf(Mirror(packed))];
      if (packed == Mirror(packed)) continue;
      EXPECT_NEAR(straight + mirrored, 200, 6 * std::sqrt(200));
      EXPECT_NEAR(straight, 100, 6 * std::sqrt(100));
      drawn.erase(KeyOf(packed));
      drawn.erase(KeyOf(Mirror(packed)));
    }
  }
  EXPECT_EQ(drawn.size(), 1u);  // the start, which is its own mirror image
}

TEST(ReplaySourceTest, AStepIsTheSameWheneverItIsAskedFor) {
  const ReplaySource source(Pack(SelfPlayGames(4, 40)), 5);
  const ReplaySource other_seed(Pack(SelfPlayGames(4, 40)), 6);
  std::vector<Sample> samples(16);
  const auto batch = [&](const ReplaySource& from, uint64_t step) {
    from.Fill(step, samples);
    return MakeBatch(samples).levels;
  };
  const auto expected = batch(source, 7);
  EXPECT_NE(batch(source, 8), expected);
  EXPECT_EQ(batch(source, 7), expected);
  EXPECT_NE(batch(other_seed, 7), expected);
}

TEST(ReplayChunkTest, ComesBackAsItWasWritten) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("chunk.state");
  EXPECT_EQ(ReadReplayChunk(path).value(), std::nullopt);
  const ReplayChunk chunk = {100, 150, {uint64_t{1} << 60, (uint64_t{1} << 60) + 7, 1234567}, 0.1};
  ASSERT_TRUE(WriteReplayChunk(chunk, path).ok());
  EXPECT_EQ(ReadReplayChunk(path).value(), chunk);
  std::filesystem::resize_file(path, 40);
  EXPECT_THAT(ReadReplayChunk(path).status().message(), HasSubstr("chunk.state"));
}

}  // namespace
}  // namespace chuhe
