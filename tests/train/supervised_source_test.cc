#include "train/supervised_source.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "selfplay/records/game_tsv.h"
#include "tests/train/random_games.h"
#include "train/batch_loader.h"
#include "train/mixed_source.h"
#include "train/permutation.h"

namespace chuhe {
namespace {

TEST(PermutationTest, EveryIndexComesOnce) {
  for (const uint64_t n : {1, 2, 3, 7, 64, 65, 1000, 4097}) {
    for (const uint64_t seed : {0, 1, 99}) {
      std::set<uint64_t> seen;
      for (uint64_t i = 0; i < n; ++i) {
        const uint64_t image = PermutedIndex(i, n, seed);
        ASSERT_LT(image, n);
        seen.insert(image);
      }
      ASSERT_EQ(seen.size(), n);
    }
  }
}

TEST(PermutationTest, SeedsShuffleDifferentlyAndWell) {
  constexpr uint64_t kSize = 1000;
  int fixed = 0;
  int neighbours = 0;
  int same = 0;
  for (uint64_t i = 0; i < kSize; ++i) {
    fixed += PermutedIndex(i, kSize, 5) == i;
    same += PermutedIndex(i, kSize, 5) == PermutedIndex(i, kSize, 6);
    neighbours += PermutedIndex(i, kSize, 5) + 1 == PermutedIndex((i + 1) % kSize, kSize, 5);
  }
  EXPECT_LT(fixed, 10);
  EXPECT_LT(neighbours, 10);
  EXPECT_LT(same, 10);
}

TEST(MixedSourceTest, HasTheFirstSamplesFromOneSourceAndTheRestFromTheOther) {
  const SupervisedSource first(RandomGames(5, 20), 3);
  const SupervisedSource rest(RandomGames(4, 30), 8);
  const auto same = [](const Sample& a, const Sample& b) {
    return std::memcmp(&a.packed, &b.packed, sizeof a.packed) == 0 &&
           std::equal(a.policy.begin(), a.policy.begin() + a.legal_size, b.policy.begin());
  };
  std::vector<Sample> mixed(10);
  MixedSource(&first, 4, &rest).Fill(7, mixed);
  std::vector<Sample> expected(4);
  first.Fill(7, expected);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), mixed.begin(), same));
  expected.resize(6);
  rest.Fill(7, expected);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), mixed.begin() + 4, same));
  expected.resize(10);
  MixedSource(nullptr, 0, &rest).Fill(7, mixed);
  rest.Fill(7, expected);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), mixed.begin(), same));
}

TEST(SupervisedSourceTest, AnEpochShowsEveryPositionOnce) {
  const SupervisedSource source(RandomGames(5, 20), 3);
  ASSERT_EQ(source.positions(), 100u);
  std::multiset<std::string> expected;
  std::multiset<std::string> seen;
  const auto key = [](const PackedPosition& packed) {
    // A position and its mirror image are one.
    const PackedPosition image = Mirror(packed);
    const PackedPosition& lower = std::memcmp(&packed, &image, sizeof packed) < 0 ? packed : image;
    return std::string(reinterpret_cast<const char*>(&lower), sizeof lower);
  };
  for (uint64_t i = 0; i < 100; ++i) expected.insert(key(source.At(i).packed));
  std::vector<Sample> samples(10);
  for (uint64_t step = 0; step < 10; ++step) {
    source.Fill(step, samples);
    for (const Sample& sample : samples) seen.insert(key(sample.packed));
  }
  EXPECT_EQ(seen, expected);
}

TEST(SupervisedSourceTest, AStepIsTheSameWheneverItIsAskedFor) {
  const SupervisedSource source(RandomGames(5, 20), 3);
  std::vector<Sample> samples(16);
  std::vector<Sample> again(16);
  source.Fill(7, samples);
  source.Fill(8, again);
  source.Fill(7, again);
  for (size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].packed, again[i].packed);
}

TEST(SplitGamesTest, GamesWithTheSameOpeningStayTogether) {
  // 30 openings of 40 plies, each followed by 4 different continuations.
  std::vector<GameRecord> games;
  for (int opening = 0; opening < 30; ++opening) {
    std::vector<GameRecord> one = RandomGames(opening + 1, 40);
    for (int i = 0; i < 4; ++i) {
      GameRecord game = one.back();
      game.seed = static_cast<uint64_t>(opening);
      Position position = game.start;
      for (const PlyRecord& ply : game.plies) position.Make(ply.move);
      MoveList moves;
      GenerateLegal(position, &moves);
      game.plies.push_back({.move = moves[i % moves.size], .policy = {}, .root = {}});
      games.push_back(std::move(game));
    }
  }
  const GameSplit split = SplitGames(std::move(games), 4);
  EXPECT_EQ(split.training.size() + split.validation.size(), 120u);
  EXPECT_GT(split.validation.size(), 0u);
  EXPECT_LT(split.validation.size(), 70u);
  std::map<uint64_t, int> held_out;
  for (const GameRecord& game : split.validation) ++held_out[game.seed];
  for (const auto& [opening, count] : held_out) EXPECT_EQ(count, 4) << opening;
}

TEST(BatchLoaderTest, BatchesComeInOrderWhateverTheThreads) {
  const SupervisedSource source(RandomGames(5, 20), 3);
  for (const int threads : {1, 3}) {
    BatchLoader loader(&source, 8, 5, threads, 4);
    std::vector<Sample> samples(8);
    for (uint64_t step = 5; step < 25; ++step) {
      const Batch batch = loader.Next();
      source.Fill(step, samples);
      const Batch expected = MakeBatch(samples);
      ASSERT_EQ(batch.levels, expected.levels) << step;
      ASSERT_EQ(batch.legal, expected.legal) << step;
    }
  }
}

TEST(BatchLoaderTest, ClosesWhileBatchesAreBeingMade) {
  const SupervisedSource source(RandomGames(5, 20), 3);
  const BatchLoader loader(&source, 64, 0, 2, 8);
}

}  // namespace
}  // namespace chuhe
