#include "train/sample.h"

#include <cmath>
#include <string>
#include <vector>

#include "engine/board/fen.h"
#include "gtest/gtest.h"
#include "nets/features/policy.h"
#include "selfplay/records/game_tsv.h"
#include "train/batch.h"

namespace chuhe {
namespace {

// Cannons take horses; the first one is taken back.
constexpr char kMoves[] = "h2h9 i9h9 g3g4 b7b0";

GameRecord Record(const std::string& moves, const std::string& result) {
  auto record = MakeGameRecord("startpos", moves, result);
  EXPECT_TRUE(record.ok()) << record.status();
  return *record;
}

int IndexOf(Color side, const char* uci) {
  const auto square = [uci](int at) { return MakeSquare(uci[at] - 'a', uci[at + 1] - '0'); };
  return PolicyIndex(SeenBy(side, Move(square(0), square(2))));
}

// The share of the target that a move has.
float TargetOf(const Sample& sample, int index) {
  float sum = 0;
  for (int i = 0; i < sample.legal_size; ++i) {
    if (sample.legal[i] == index) sum += sample.policy[i];
  }
  return sum;
}

TEST(GameSamplerTest, MovesPlayedAreTargetsSeenByTheSideToMove) {
  const GameRecord record = Record(kMoves, "0-1");
  GameSampler sampler(record, PolicyTarget::kMovesPlayed);
  const Sample first = sampler.At(0);
  EXPECT_EQ(first.legal_size, 44);
  EXPECT_EQ(TargetOf(first, IndexOf(Color::kRed, "h2h9")), 1);
  EXPECT_EQ(first.reply, IndexOf(Color::kBlack, "i9h9"));
  const Sample second = sampler.At(1);
  EXPECT_EQ(TargetOf(second, IndexOf(Color::kBlack, "i9h9")), 1);
  const Sample last = sampler.At(3);
  EXPECT_EQ(last.reply, -1);
  // And back again.
  EXPECT_EQ(sampler.At(0).packed, first.packed);
}

TEST(GameSamplerTest, ResultAndLengthAreTheSideToMoves) {
  const GameRecord record = Record(kMoves, "0-1");
  GameSampler sampler(record, PolicyTarget::kMovesPlayed);
  EXPECT_EQ(sampler.At(0).wdl.loss, 1);
  EXPECT_EQ(sampler.At(1).wdl.win, 1);
  EXPECT_EQ(sampler.At(1).plies_left, 3);
  EXPECT_EQ(sampler.At(1).plies_left_weight, 1);
}

TEST(GameSamplerTest, UnknownResultsTeachNothing) {
  const GameRecord record = Record(kMoves, "*");
  const Sample sample = GameSampler(record, PolicyTarget::kMovesPlayed).At(0);
  EXPECT_EQ(sample.wdl_weight, 0);
  EXPECT_EQ(sample.plies_left_weight, 0);
}

TEST(GameSamplerTest, AgreedDrawsSayNothingOfTheLength) {
  const GameRecord record = Record(kMoves, "1/2-1/2");
  const Sample sample = GameSampler(record, PolicyTarget::kMovesPlayed).At(0);
  EXPECT_EQ(sample.wdl.draw, 1);
  EXPECT_EQ(sample.wdl_weight, 1);
  EXPECT_EQ(sample.plies_left_weight, 0);
}

TEST(GameSamplerTest, SearchedPoliciesAreNormalised) {
  GameRecord record = Record(kMoves, "0-1");
  const Move played = record.plies[0].move;
  const Move other(MakeSquare(7, 2), MakeSquare(4, 2));
  record.plies[0].policy = {{played, 30}, {other, 10}};
  GameSampler sampler(record);
  const Sample sample = sampler.At(0);
  EXPECT_FLOAT_EQ(TargetOf(sample, PolicyIndex(played)), 0.75f);
  EXPECT_FLOAT_EQ(TargetOf(sample, PolicyIndex(other)), 0.25f);
  // A ply after a fast search teaches no policy.
  const Sample fast = sampler.At(1);
  for (int i = 0; i < fast.legal_size; ++i) EXPECT_EQ(fast.policy[i], 0);
}

TEST(GameSamplerTest, ShortTermValueMixesTheNextSearches) {
  GameRecord record = Record(kMoves, "0-1");
  EXPECT_EQ(GameSampler(record).At(0).short_term_weight, 0);
  record.plies[0].is_searched = true;
  record.plies[0].root = {0.5f, 0.5f, 0};
  record.plies[1].is_searched = true;
  record.plies[1].root = {1, 0, 0};  // Black's view
  record.outcome = Outcome::kUndecided;
  const Sample sample = GameSampler(record).At(0);
  EXPECT_EQ(sample.short_term_weight, 1);
  const float total = 1 + kShortTermDecay;
  EXPECT_FLOAT_EQ(sample.short_term.win, 0.5f / total);
  EXPECT_FLOAT_EQ(sample.short_term.loss, kShortTermDecay / total);
}

TEST(GameSamplerTest, ShortTermValueEndsInTheResult) {
  GameRecord record = Record(kMoves, "0-1");
  const int last = static_cast<int>(record.plies.size()) - 1;
  ASSERT_LT(last, 20);
  for (PlyRecord& ply : record.plies) {
    ply.is_searched = true;
    ply.root = {0, 1, 0};
  }
  // The searches saw a draw, Black won. At the last ply that is 1 for the search and 1/(1 − d) − 1
  // for all plies that would have followed.
  const Sample at_end = GameSampler(record).At(last);
  const Sample at_start = GameSampler(record).At(0);
  const bool is_red_last = last % 2 == 0;
  EXPECT_NEAR(is_red_last ? at_end.short_term.loss : at_end.short_term.win, kShortTermDecay, 1e-6);
  EXPECT_NEAR(at_end.short_term.draw, 1 - kShortTermDecay, 1e-6);
  EXPECT_NEAR(at_start.short_term.loss, std::pow(kShortTermDecay, last + 1), 1e-6);
  EXPECT_NEAR(at_start.short_term.draw, 1 - std::pow(kShortTermDecay, last + 1), 1e-6);
}

TEST(GameSamplerTest, SurvivorsAreTheMenThatStay) {
  const GameRecord record = Record(kMoves, "0-1");
  GameSampler sampler(record, PolicyTarget::kMovesPlayed);
  const Sample red = sampler.At(0);
  const auto at = [](const char* uci) { return MakeSquare(uci[0] - 'a', uci[1] - '0'); };
  EXPECT_FALSE(red.survivors[at("h2")]);  // taken at h9
  EXPECT_FALSE(red.survivors[at("h9")]);  // the horse
  EXPECT_FALSE(red.survivors[at("b0")]);  // taken by the other cannon
  EXPECT_TRUE(red.survivors[at("e0")]);
  EXPECT_EQ(red.survivors.count(), 29u);
  // Seen by Black the board is turned: the chariot that moves stands at a0 and lives.
  const Sample black = sampler.At(1);
  EXPECT_TRUE(black.survivors[at("a0")]);
  EXPECT_FALSE(black.survivors[at("b0")]);  // the cannon at h9
  EXPECT_FALSE(black.survivors[at("h9")]);  // the horse at b0
}

TEST(SampleTest, MirroringTwiceChangesNothing) {
  GameRecord record = Record("h2e2 h9g7 h0g2 i9h9 b0c2", "1-0");
  GameSampler sampler(record, PolicyTarget::kMovesPlayed);
  for (int ply = 0; ply < 5; ++ply) {
    const Sample sample = sampler.At(ply);
    const Sample mirrored = Mirror(sample);
    EXPECT_NE(mirrored.packed == sample.packed, ply > 0);
    const Sample back = Mirror(mirrored);
    EXPECT_EQ(back.packed, sample.packed);
    EXPECT_EQ(back.survivors, sample.survivors);
    EXPECT_EQ(back.reply, sample.reply);
    for (int i = 0; i < sample.legal_size; ++i) EXPECT_EQ(back.legal[i], sample.legal[i]);
  }
}

TEST(SampleTest, TheMirrorImageIsThatOfTheMirroredGame) {
  const GameRecord game = Record("h2e2 h9g7 h0g2", "1-0");
  const GameRecord image = Record("b2e2 b9c7 b0c2", "1-0");
  GameSampler sampler(game, PolicyTarget::kMovesPlayed);
  GameSampler image_sampler(image, PolicyTarget::kMovesPlayed);
  for (int ply = 0; ply < 3; ++ply) {
    const Sample mirrored = Mirror(sampler.At(ply));
    const Sample expected = image_sampler.At(ply);
    EXPECT_EQ(mirrored.packed, expected.packed);
    EXPECT_EQ(mirrored.survivors, expected.survivors);
    EXPECT_EQ(mirrored.reply, expected.reply);
    for (int i = 0; i < expected.legal_size; ++i) {
      EXPECT_EQ(TargetOf(mirrored, expected.legal[i]), expected.policy[i]);
    }
  }
}

TEST(BatchTest, RowsHoldTheSamples) {
  const GameRecord record = Record(kMoves, "0-1");
  GameSampler sampler(record, PolicyTarget::kMovesPlayed);
  std::vector<Sample> samples;
  for (int ply = 0; ply < 4; ++ply) samples.push_back(sampler.At(ply));
  const Batch batch = MakeBatch(samples);
  ASSERT_EQ(batch.size, 4);
  for (size_t row = 0; row < 4; ++row) {
    const auto width = static_cast<size_t>(batch.width);
    int legal = 0;
    float sum = 0;
    for (size_t i = 0; i < width; ++i) {
      legal += batch.is_legal[row * width + i];
      sum += batch.policy[row * width + i];
    }
    EXPECT_EQ(legal, samples[row].legal_size);
    EXPECT_EQ(sum, 1);
    EXPECT_EQ(batch.wdl[3 * row], samples[row].wdl.win);
    EXPECT_EQ(batch.wdl[3 * row + 2], samples[row].wdl.loss);
    float men = 0;
    for (size_t i = 0; i < kSquares; ++i) men += batch.survivors_weight[row * kSquares + i];
    EXPECT_EQ(men, row == 0 ? 32 : row < 2 ? 31 : 30);
  }
  EXPECT_EQ(batch.reply_weight[2], 1);
  EXPECT_EQ(batch.reply_weight[3], 0);
}

}  // namespace
}  // namespace chuhe
