#include "engine/rules/notation/coordinates.h"

#include "gtest/gtest.h"
#include "tests/engine/rules/notation/reading.h"

namespace chuhe {
namespace {

const Position kStart = Position::Start();

TEST(CoordinatesTest, WritesTheThreeForms) {
  const Move move(MakeSquare(7, 2), MakeSquare(4, 2));
  EXPECT_EQ(FormatUci(move), "h2e2");
  EXPECT_EQ(FormatUci(move, RankBase::kOne), "h3e3");
  EXPECT_EQ(FormatIccs(move), "H2-E2");
  EXPECT_EQ(FormatUci(Move(MakeSquare(0, 9), MakeSquare(0, 8)), RankBase::kOne), "a10a9");
}

TEST(CoordinatesTest, ParsesEverySpelling) {
  const Move move(MakeSquare(7, 2), MakeSquare(4, 2));
  for (const char* text : {"h2e2", "H2E2", "h2-e2", "H2-E2", "ｈ２ｅ２", "Ｈ２－Ｅ２", "H2–E2"}) {
    EXPECT_EQ(ParseUci(text), move) << text;
  }
  EXPECT_EQ(ParseUci("h3e3", RankBase::kOne), move);
  EXPECT_EQ(ParseUci("a10a9", RankBase::kOne), Move(MakeSquare(0, 9), MakeSquare(0, 8)));
}

TEST(CoordinatesTest, ParsesEveryPairOfSquaresInBothConventions) {
  for (int from = 0; from < kSquares; ++from) {
    for (int to = 0; to < kSquares; ++to) {
      const Move move(static_cast<Square>(from), static_cast<Square>(to));
      ASSERT_EQ(ParseUci(FormatUci(move)), move);
      ASSERT_EQ(ParseUci(FormatIccs(move)), move);
      ASSERT_EQ(ParseUci(FormatUci(move, RankBase::kOne), RankBase::kOne), move);
    }
  }
}

TEST(CoordinatesTest, RefusesWhatIsNoPairOfSquares) {
  for (const char* text : {"", "h2", "h2e", "h2e2 ", " h2e2", "h2e2q", "j2e2", "h2e22", "h2--e2",
                           "h2+e2", "h二e二", "a10a9", "h2e10", "22e2"}) {
    EXPECT_EQ(ParseUci(text), std::nullopt) << text;
  }
  for (const char* text : {"h0e3", "h3e0", "h11e3"}) {
    EXPECT_EQ(ParseUci(text, RankBase::kOne), std::nullopt) << text;
  }
}

TEST(CoordinatesTest, DashFormHasRanksFromZeroInAnyCase) {
  EXPECT_EQ(ParseUci("H2-E2", RankBase::kOne), MoveOf("h2e2"));
  EXPECT_EQ(ParseUci("A10-A9", RankBase::kOne), std::nullopt);
}

TEST(RankBaseDecisionTest, RanksFromZeroWinWhereBothStayLegal) {
  const char* kFen = "3k5/9/9/9/9/9/9/R8/R8/4K4 w";  // rooks on a1 and a2
  EXPECT_EQ(Read(kFen, "a2b2"), "a2b2");
}

TEST(RankBaseDecisionTest, IllegalMoveTellsForTheWholeGame) {
  EXPECT_EQ(Read(kStart, "h3e3 h8e8 h1g3"), "h2e2 h7e7 h0g2");
  // a4a5 is legal in both; the last move is not with ranks from zero.
  EXPECT_EQ(Read(kStart, "a4a5 a7a6 b1c3"), "a3a4 a6a5 b0c2");
  EXPECT_EQ(Read(kStart, "a3a4 a6a5 b0c2"), "a3a4 a6a5 b0c2");
}

TEST(RankBaseDecisionTest, RankTenTellsForTheWholeGame) {
  // i1i2 is a pawn's place under ranks from zero; i10 settles it.
  EXPECT_EQ(Read(kStart, "i1i2 i10i9"), "i0i1 i9i8");
  const char* kFen = "r3k4/9/9/9/9/9/9/R8/R8/3K5 w";
  EXPECT_EQ(Read(kFen, "a2b2 a10b10"), "a1b1 a9b9");
}

TEST(RankBaseDecisionTest, RankZeroTellsForTheWholeGame) {
  // With ranks from one both moves but the second would be legal.
  const std::string error = Read(kStart, "h3e3 h9h0");
  EXPECT_EQ(error.find("error: move 1 \"h3e3\""), 0u) << error;
}

TEST(RankBaseDecisionTest, BothRanksInOneGameAreAnError) {
  const std::string error = Read(kStart, "i0i1 i10i9");
  EXPECT_NE(error.find("move 2 \"i10i9\""), std::string::npos) << error;
  EXPECT_NE(error.find("0 to 9"), std::string::npos) << error;
}

TEST(RankBaseDecisionTest, DashFormBindsOnlyItself) {
  EXPECT_EQ(Read(kStart, "H2-E2 H9-G7"), "h2e2 h9g7");
  EXPECT_EQ(Read(kStart, "H2-E2 h10g8"), "h2e2 h9g7");
}

TEST(RankBaseDecisionTest, MixesWithOtherNotations) {
  EXPECT_EQ(Read(kStart, "炮二平五 h10g8 H2+3 i10h10"), "h2e2 h9g7 h0g2 i9h9");
}

TEST(RankBaseDecisionTest, ErrorNamesTheMoveOfTheReadingThatGotFurther) {
  const std::string zero = Read(kStart, "h2e2 h9g7 h0g3");
  EXPECT_EQ(zero.find("error: move 3 \"h0g3\""), 0u) << zero;
  const std::string one = Read(kStart, "h3e3 h8e8 h1g4");
  EXPECT_EQ(one.find("error: move 3 \"h1g4\""), 0u) << one;
}

}  // namespace
}  // namespace chuhe
