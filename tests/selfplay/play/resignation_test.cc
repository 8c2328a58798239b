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

}  // namespace
}  // namespace chuhe
