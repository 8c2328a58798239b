// The reference on its own: counts that others published, and mates and stalemates told by hand.
#include "tests/reference/reference_board.h"

#include <gtest/gtest.h>

namespace chuhe {
namespace {

ReferenceBoard Read(std::string_view fen) {
  const std::optional<ReferenceBoard> board = ReadReferenceFen(fen);
  EXPECT_TRUE(board.has_value()) << fen;
  return board.value_or(ReferenceBoard());
}

TEST(ReferenceBoardTest, CountsTheStartPositionAsPublished) {
  const ReferenceBoard board =
      Read("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
  EXPECT_EQ(ReferencePerft(board, 1), 44u);
  EXPECT_EQ(ReferencePerft(board, 2), 1920u);
  EXPECT_EQ(ReferencePerft(board, 3), 79666u);
}

TEST(ReferenceBoardTest, CountsPositionsFullOfChecksAsPublished) {
  EXPECT_EQ(
      ReferencePerft(Read("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w"), 3),
      43929u);
  EXPECT_EQ(ReferencePerft(Read("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w"), 3),
            8620u);
  EXPECT_EQ(ReferencePerft(Read("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w"), 3), 9850u);
  EXPECT_EQ(ReferencePerft(Read("R1N1k1b2/9/3aba3/9/2nr5/2B6/9/4B4/4A4/4KA3 w"), 3), 7626u);
  EXPECT_EQ(ReferencePerft(Read("CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w"), 3), 11714u);
}

TEST(ReferenceBoardTest, TellsMateFromStalemate) {
  // The rook gives check, the red king keeps the black one off the e-file.
  const ReferenceBoard mate = Read("3k5/9/9/9/3R5/9/9/9/9/4K4 b");
  EXPECT_TRUE(ReferenceIsMate(mate));
  EXPECT_FALSE(ReferenceIsStalemate(mate));
  // The pawn guards both points to which the king could step.
  const ReferenceBoard stalemate = Read("3k5/4P4/9/9/9/9/9/9/9/5K3 b");
  EXPECT_TRUE(ReferenceIsStalemate(stalemate));
  EXPECT_FALSE(ReferenceIsMate(stalemate));
  const ReferenceBoard alive = Read("5k3/3P5/9/9/9/9/9/9/9/4K4 b");
  EXPECT_FALSE(ReferenceIsStalemate(alive));
  EXPECT_EQ(ReferenceLegalMoves(alive), (std::vector<ReferenceMove>{{{5, 9}, {5, 8}}}));
}

TEST(ReferenceBoardTest, FacingKingsAttackEachOther) {
  const ReferenceBoard board = Read("4k4/9/9/9/9/9/9/9/9/4K4 w");
  EXPECT_EQ(ReferenceKingAttackers(board, true), (std::vector<ReferencePoint>{{4, 9}}));
  EXPECT_EQ(ReferenceKingAttackers(board, false), (std::vector<ReferencePoint>{{4, 0}}));
  EXPECT_FALSE(ReferenceKingAttacked(Read("4k4/9/9/9/4p4/9/9/9/9/4K4 w"), true));
}

TEST(ReferenceBoardTest, WritesWhatItReads) {
  for (const char* fen : {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
                          "4k4/9/9/9/9/9/9/9/9/3K5 b"}) {
    EXPECT_EQ(WriteReferenceFen(Read(fen)), fen);
  }
  EXPECT_FALSE(ReadReferenceFen("9/9/9/9/9/9/9/9/9 w").has_value());
  EXPECT_FALSE(ReadReferenceFen("9/9/9/9/9/9/9/9/9/8 w").has_value());
  EXPECT_FALSE(ReadReferenceFen("9/9/9/9/9/9/9/9/9/9x w").has_value());
  EXPECT_FALSE(ReadReferenceFen("9/9/9/9/9/9/9/9/9/9 x").has_value());
}

}  // namespace
}  // namespace chuhe
