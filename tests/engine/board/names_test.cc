#include "engine/board/names.h"

#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(NamesTest, SquaresAreNamedAsIccsDoes) {
  EXPECT_EQ(SquareName(MakeSquare(0, 0)), "a0");
  EXPECT_EQ(SquareName(MakeSquare(8, 9)), "i9");
  EXPECT_EQ(SquareName(MakeSquare(4, 3)), "e3");
}

TEST(NamesTest, LettersOfEitherCaseStandForKinds) {
  constexpr char kLetters[] = "KABNRCP";
  for (int type = 0; type < kPieceTypes; ++type) {
    const char upper = kLetters[type];
    const char lower = static_cast<char>(upper - 'A' + 'a');
    EXPECT_EQ(PieceTypeOfLetter(upper), static_cast<PieceType>(type));
    EXPECT_EQ(PieceTypeOfLetter(lower), static_cast<PieceType>(type));
  }
  EXPECT_EQ(PieceTypeOfLetter('E'), PieceType::kBishop);
  EXPECT_EQ(PieceTypeOfLetter('h'), PieceType::kKnight);
  EXPECT_EQ(PieceTypeOfLetter('M'), PieceType::kKnight);
  EXPECT_EQ(PieceTypeOfLetter('g'), PieceType::kKing);
  for (const char other : {'Q', 'x', '1', ' ', '\0'}) {
    EXPECT_EQ(PieceTypeOfLetter(other), std::nullopt);
  }
}

TEST(NamesTest, ColoursAndKindsHaveOneWordEach) {
  EXPECT_EQ(NameOf(Color::kRed), "Red");
  EXPECT_EQ(NameOf(Color::kBlack), "Black");
  EXPECT_EQ(NameOf(PieceType::kKing), "king");
  EXPECT_EQ(NameOf(PieceType::kPawn), "pawn");
}

}  // namespace
}  // namespace chuhe
