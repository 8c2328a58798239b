#include "engine/board/attacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/board/bitboard.h"
#include "engine/board/position.h"
#include "tests/engine/board/drawn_board.h"

namespace chuhe {
namespace {

std::string TargetsOf(const Position& position, std::string_view square) {
  std::string text;
  ForEachSquare(PseudoLegalTargets(position, position.unit_at(SquareOf(square))),
                [&](Square target) { text += TextOf(target) + ' '; });
  return text;
}

// Squares of the units in the set, in the order of the units.
std::string SquaresOf(const Position& position, UnitSet units) {
  std::string text;
  for (int unit = 0; unit < kUnits; ++unit) {
    if ((units & UnitBit(static_cast<Unit>(unit))) != 0) {
      text += TextOf(position.square_of(static_cast<Unit>(unit))) + ' ';
    }
  }
  return text;
}

std::string AttackersAt(const Position& position, std::string_view square, Color by) {
  return SquaresOf(position, AttackersOf(position, SquareOf(square), by));
}

TEST(AttacksTest, TargetsDoNotConsiderTheOwnKing) {
  // The rook is pinned, and its targets are the same as if it were not.
  const Position position = DrawnBoard(R"(
      .....k...
      .........
      ....r....
      .........
      .........
      ..p.R..P.
      .........
      ....P....
      .........
      ....K....)",
                                       Color::kRed);
  EXPECT_EQ(TargetsOf(position, "e4"), "e3 c4 d4 f4 g4 e5 e6 e7 ");
}

TEST(AttacksTest, TargetsOfEitherSideWhoeverIsToMove) {
  Position position = Position::Start();
  EXPECT_EQ(TargetsOf(position, "b0"), "a2 c2 ");
  EXPECT_EQ(TargetsOf(position, "b9"), "a7 c7 ");
  EXPECT_EQ(TargetsOf(position, "b7"), "b0 b3 b4 b5 b6 a7 c7 d7 e7 f7 g7 b8 ");
  EXPECT_EQ(TargetsOf(position, "c9"), "a7 e7 ");
  EXPECT_EQ(TargetsOf(position, "e6"), "e5 ");
  EXPECT_EQ(TargetsOf(position, "e9"), "e8 ");
  EXPECT_EQ(TargetsOf(position, "d9"), "e8 ");
  position.SwitchSide();
  EXPECT_EQ(TargetsOf(position, "b0"), "a2 c2 ");
  EXPECT_EQ(TargetsOf(position, "e3"), "e4 ");
}

TEST(AttacksTest, KingIsAttackedByEveryKindThatReachesHim) {
  const Position position = DrawnBoard(R"(
      .....k...
      ....c....
      .........
      ....R....
      .........
      .........
      .........
      ...n.n...
      ...pp....
      r...K....)",
                                       Color::kRed);
  // Knight d2 has its leg d1 blocked, f2 has not; the pawn on e1 and the rook attack; the cannon
  // has two screens; the pawn on d1 only looks at d0, c1 and e1.
  EXPECT_EQ(SquaresOf(position, AttackersOfKing(position, Color::kRed)), "f2 a0 e1 ");
  EXPECT_TRUE(InCheck(position));
  EXPECT_EQ(AttackersOfKing(position, Color::kBlack), 0u);
}

TEST(AttacksTest, FacingKingsAttackEachOther) {
  const Position position = DrawnBoard(R"(
      ....k....
      .........
      .........
      .........
      .........
      .........
      .........
      .........
      .........
      ....K....)",
                                       Color::kRed);
  EXPECT_EQ(SquaresOf(position, AttackersOfKing(position, Color::kRed)), "e9 ");
  EXPECT_EQ(SquaresOf(position, AttackersOfKing(position, Color::kBlack)), "e0 ");
  EXPECT_TRUE(InCheck(position));
}

TEST(AttacksTest, InCheckAsksForTheSideToMove) {
  Position position = DrawnBoard(R"(
      ...k.....
      .........
      .........
      ...R.....
      .........
      .........
      .........
      .........
      .........
      ....K....)",
                                 Color::kRed);
  EXPECT_FALSE(InCheck(position));
  position.SwitchSide();
  EXPECT_TRUE(InCheck(position));
  EXPECT_EQ(SquaresOf(position, AttackersOfKing(position, Color::kBlack)), "d6 ");
}

TEST(AttacksTest, AttackersOfAManAreThoseWhoCouldTakeHim) {
  const Position position = DrawnBoard(R"(
      ....k....
      ....a....
      ....c....
      .........
      ..n.p....
      r...R.p.c
      ...n.....
      ....P....
      ....A....
      ...K.....)",
                                       Color::kRed);
  // The pawn on e5 steps onto e4, the knight c5 has its leg d5 free, the knight d3 its leg d4; the
  // rook sees along the rank; the cannon i4 has the pawn g4 for a screen, e7 the pawn on e5.
  EXPECT_EQ(AttackersAt(position, "e4", Color::kBlack), "c5 a4 e7 i4 e5 ");
}

TEST(AttacksTest, AttackersOfAPointOfTheOwnRanks) {
  const Position position = Position::Start();
  // Only the cannon on b2 can take the knight; no other man of Red reaches that far.
  EXPECT_EQ(AttackersAt(position, "b9", Color::kRed), "b2 ");
  EXPECT_EQ(AttackersAt(position, "h0", Color::kBlack), "h7 ");
  EXPECT_EQ(AttackersAt(position, "e6", Color::kRed), "");
}

}  // namespace
}  // namespace chuhe
