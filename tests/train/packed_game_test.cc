#include "train/packed_game.h"

#include <map>
#include <vector>

#include "engine/board/fen.h"
#include "gtest/gtest.h"
#include "tests/train/self_play_games.h"

namespace chuhe {
namespace {

std::map<int, float> PolicyOf(const Sample& sample) {
  std::map<int, float> policy;
  for (int i = 0; i < sample.legal_size; ++i) policy[sample.legal[i]] = sample.policy[i];
  return policy;
}

void ExpectAlike(const Sample& actual, const Sample& expected) {
  EXPECT_EQ(actual.packed, expected.packed);
  const std::map<int, float> policy = PolicyOf(actual);
  const std::map<int, float> expected_policy = PolicyOf(expected);
  ASSERT_EQ(policy.size(), expected_policy.size());
  for (const auto& [index, probability] : expected_policy) {
    ASSERT_TRUE(policy.contains(index)) << index;
    EXPECT_NEAR(policy.at(index), probability, 5e-5) << index;
  }
  EXPECT_EQ(actual.wdl_weight, expected.wdl_weight);
  if (expected.wdl_weight > 0) {
    EXPECT_EQ(actual.wdl.win, expected.wdl.win);
    EXPECT_EQ(actual.wdl.draw, expected.wdl.draw);
    EXPECT_EQ(actual.wdl.loss, expected.wdl.loss);
  }
  EXPECT_EQ(actual.plies_left_weight, expected.plies_left_weight);
  EXPECT_EQ(actual.plies_left, expected.plies_left);
  EXPECT_EQ(actual.reply, expected.reply);
  EXPECT_EQ(actual.short_term_weight, expected.short_term_weight);
  if (expected.short_term_weight > 0) {
    EXPECT_NEAR(actual.short_term.win, expected.short_term.win, 2e-5);
    EXPECT_NEAR(actual.short_term.draw, expected.short_term.draw, 4e-5);
    EXPECT_NEAR(actual.short_term.loss, expected.short_term.loss, 2e-5);
  }
  EXPECT_EQ(actual.survivors, expected.survivors);
}

TEST(PackedGameTest, SaysWhatTheGameSays) {
  std::vector<GameRecord> games = SelfPlayGames(6, 121);
  games[1].outcome = Outcome::kDraw;
  games[1].end = GameEnd::kAdjudicated;
  games[2].outcome = Outcome::kUndecided;
  games[2].end = GameEnd::kUnknown;
  games[3].random_plies = 9;
  for (const GameRecord& game : games) {
    const PackedGame packed(game);
    GameSampler sampler(game);
    int index = 0;
    for (int ply = game.random_plies; ply < static_cast<int>(game.plies.size()); ++ply) {
      if (game.plies[static_cast<size_t>(ply)].policy.empty()) continue;
      SCOPED_TRACE(ply);
      ASSERT_LT(index, packed.size());
      ExpectAlike(packed.At(index), sampler.At(ply));
      EXPECT_EQ(packed.PositionAt(index), sampler.At(ply).packed);
      ++index;
    }
    EXPECT_EQ(index, packed.size());
  }
}

TEST(PackedGameTest, BothSidesAndAllMenComeThrough) {
  // Black to move, five pawns on either side, pieces in odd corners.
  const auto fen =
      ParseFen("2bakabr1/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2N2C1/4A4/R1BAK1BNR b - - 0 1");
  ASSERT_TRUE(fen.ok()) << fen.status();
  GameRecord game;
  game.start = fen->position;
  game.outcome = Outcome::kRedLoses;
  game.end = GameEnd::kResignation;
  MoveList moves;
  GenerateLegal(game.start, &moves);
  PlyRecord ply;
  ply.move = moves[0];
  for (const Move move : moves) ply.policy.push_back({move, static_cast<uint16_t>(move.bits())});
  game.plies = {ply};
  GameSampler sampler(game);
  ExpectAlike(PackedGame(game).At(0), sampler.At(0));
}

TEST(PackedGameTest, AGameWithoutSearchesHasNoPositions) {
  EXPECT_EQ(PackedGame(RandomGames(1, 30)[0]).size(), 0);
}

TEST(PackedGameTest, TakesLessThanTwoHundredBytesAPosition) {
  const PackedGame packed(SelfPlayGames(1, 200)[0]);
  ASSERT_GT(packed.size(), 50);
  EXPECT_LT(packed.bytes(), 200 * static_cast<size_t>(packed.size()));
}

}  // namespace
}  // namespace chuhe
