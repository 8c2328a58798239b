#include "selfplay/play/resignation.h"

#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(ResignationWatchTest, ASideLooksLostOnlyAfterMovesInARow) {
  ResignationWatch watch(2);
  watch.Add(Color::kRed, -0.9f);
  EXPECT_EQ(watch.Recent(Color::kRed), 1);
  watch.Add(Color::kRed, -0.5f);
  EXPECT_EQ(watch.Recent(Color::kRed), -0.5f);
  watch.Add(Color::kRed, 0.5f);
  EXPECT_EQ(watch.Recent(Color::kRed), 0.5f);
  EXPECT_EQ(watch.worst(Color::kRed), -0.5f);
  EXPECT_EQ(watch.Recent(Color::kBlack), 1);
  watch.Clear();
  EXPECT_EQ(watch.worst(Color::kRed), 1);
}

ResignationWatch Seen(float value) {
  ResignationWatch watch(1);
  watch.Add(Color::kRed, value);
  return watch;
}

SelfPlayOptions Options() {
  SelfPlayOptions options;
  options.resign_value = -0.8;
  options.resign_wrong = 0.1;
  options.resign_min_games = 10;
  return options;
}

TEST(ResignationControlTest, NobodyResignsBeforeEnoughGamesAreKnown) {
  ResignationControl control(Options());
  for (int i = 0; i < 9; ++i) control.AddAudited(Seen(-0.95f), Outcome::kRedLoses);
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
  control.AddAudited(Seen(-0.85f), Outcome::kRedLoses);
  EXPECT_EQ(control.threshold(), -0.85f);
}

TEST(ResignationControlTest, TheThresholdIsNeverAboveTheSetting) {
  ResignationControl control(Options());
  for (int i = 0; i < 20; ++i) control.AddAudited(Seen(-0.7f), Outcome::kRedLoses);
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
}

TEST(ResignationControlTest, AFewSidesProveNothing) {
  ResignationControl control(Options());
  for (int i = 0; i < 20; ++i) control.AddAudited(Seen(-0.7f), Outcome::kRedLoses);
  for (int i = 0; i < 3; ++i) control.AddAudited(Seen(-0.95f), Outcome::kRedLoses);
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
  control.AddAudited(Seen(-0.95f), Outcome::kRedLoses);
  EXPECT_EQ(control.threshold(), -0.95f);
}

TEST(ResignationControlTest, TheThresholdFallsWhereResigningWouldBeWrong) {
  ResignationControl control(Options());
  for (int i = 0; i < 20; ++i) control.AddAudited(Seen(-0.95f), Outcome::kRedLoses);
  for (int i = 0; i < 20; ++i) control.AddAudited(Seen(-0.82f), Outcome::kDraw);
  EXPECT_EQ(control.threshold(), -0.95f);
  for (int i = 0; i < 10; ++i) control.AddAudited(Seen(-0.99f), Outcome::kBlackLoses);
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
}

TEST(ResignationControlTest, OldGamesAreForgotten) {
  ResignationControl control(Options());
  for (int i = 0; i < 100; ++i) control.AddAudited(Seen(-0.9f), Outcome::kDraw);
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
  for (int i = 0; i < 500; ++i) control.AddAudited(Seen(-0.9f), Outcome::kRedLoses);
  EXPECT_EQ(control.threshold(), -0.9f);
}

// A game in which things look that bad to Red, as a record.
GameRecord Record(uint64_t seed, float value, Outcome outcome) {
  GameRecord record;
  record.start = Position::Start();
  record.seed = seed;
  record.end = GameEnd::kPlyCap;
  record.outcome = outcome;
  PlyRecord ply;
  ply.is_searched = true;
  ply.root = {.win = 0, .draw = 1 + value, .loss = -value};
  PlyRecord reply;
  reply.is_searched = true;
  reply.root = {.win = 1, .draw = 0, .loss = 0};
  for (int i = 0; i < 3; ++i) record.plies.insert(record.plies.end(), {ply, reply});
  return record;
}

TEST(ResignationControlTest, GamesOfEarlierProcessesTellAsMuch) {
  SelfPlayOptions options = Options();
  options.resign_moves = 3;
  ResignationControl control(options);
  for (uint64_t seed = 0; seed < 9; ++seed) {
    control.AddEarlier(Record(seed, -0.9f, Outcome::kRedLoses));
  }
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
  control.AddEarlier(Record(9, -0.9f, Outcome::kRedLoses));
  EXPECT_FLOAT_EQ(control.threshold(), -0.9f);
  // Those in which somebody might have resigned do not count.
  uint64_t audited = 0;
  for (uint64_t seed = 10; seed < 400; ++seed) {
    if (IsResignationAudited(options, seed)) {
      ++audited;
      continue;
    }
    control.AddEarlier(Record(seed, -0.95f, Outcome::kDraw));
  }
  EXPECT_GT(audited, 10u);
  EXPECT_FLOAT_EQ(control.threshold(), -0.9f);
  for (uint64_t seed = 10; seed < 400; ++seed) {
    control.AddEarlier(Record(seed, -0.95f, Outcome::kDraw));
  }
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
}

TEST(ResignationControlTest, ResignedGamesTellNothing) {
  ResignationControl control(Options());
  GameRecord resigned = Record(1, -0.9f, Outcome::kRedLoses);
  resigned.end = GameEnd::kResignation;
  for (int i = 0; i < 100; ++i) control.AddEarlier(resigned);
  EXPECT_EQ(control.threshold(), ResignationControl::kNever);
}

}  // namespace
}  // namespace chuhe
