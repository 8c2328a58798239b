#include "engine/rules/material.h"

#include "engine/board/fen.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

struct MaterialCase {
  const char* what;
  const char* fen;
  bool is_draw;
};

class MaterialTest : public ::testing::TestWithParam<MaterialCase> {};

TEST_P(MaterialTest, IsJudgedByTheTable) {
  const auto record = ParseFen(GetParam().fen);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(IsInsufficientMaterial(record->position), GetParam().is_draw) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    Table, MaterialTest,
    ::testing::Values(
        MaterialCase{"bare kings", "3k5/9/9/9/9/9/9/9/9/4K4 w", true},
        MaterialCase{"defenders only", "2bakab2/9/9/9/9/9/9/9/4A4/2BK1AB2 b", true},
        MaterialCase{"a pawn", "3k5/9/9/4p4/9/9/9/9/9/4K4 w", false},
        MaterialCase{"a knight", "3k5/9/9/9/9/9/9/9/9/4K3N w", false},
        MaterialCase{"a rook", "3k5/9/9/9/9/9/9/9/9/4K3R w", false},
        MaterialCase{"lone cannon", "3k5/9/9/9/9/9/9/9/8C/4K4 w", true},
        MaterialCase{"cannon and bishops", "3k5/9/9/9/9/9/9/9/8C/2B1K1B2 w", true},
        MaterialCase{"cannon, one advisor", "3k5/9/9/9/9/9/9/9/4A4/4K3C w", false},
        MaterialCase{"against one advisor", "3k5/4a4/9/9/9/9/9/9/8C/4K4 w", true},
        MaterialCase{"with a bishop against one advisor", "3k5/4a4/9/9/9/9/9/9/8C/4K1B2 w", true},
        MaterialCase{"against two advisors", "3k1a3/4a4/9/9/9/9/9/9/8C/4K4 w", true},
        MaterialCase{"with a bishop against two advisors", "3k1a3/4a4/9/9/9/9/9/9/8C/4K1B2 w",
                     false},
        MaterialCase{"Black's lone cannon", "3k4c/9/9/9/9/9/9/9/9/4K4 b", true},
        MaterialCase{"a cannon each", "c3k4/9/9/9/9/9/9/9/8C/3K5 w", true},
        MaterialCase{"a cannon each and bishops", "c3k1b2/9/9/9/9/9/9/9/8C/3K2B2 w", true},
        MaterialCase{"a cannon each and an advisor", "c3ka3/9/9/9/9/9/9/9/8C/3K5 w", false},
        MaterialCase{"two cannons of a side", "3k5/9/9/9/9/9/9/9/7CC/4K4 w", false}));

TEST(MaterialWinTest, AWinInOneKeepsTheGameAlive) {
  for (const char* const fen : {
           "9/9/4ka3/9/9/9/9/3KB4/9/8C w",   // with a bishop against one advisor
           "4ka3/4a4/9/9/9/9/9/4K3C/9/9 w",  // against two advisors
           "3ck4/9/9/9/9/9/9/4BK3/8C/9 w",   // a cannon each and a bishop
       }) {
    const auto record = ParseFen(fen);
    ASSERT_TRUE(record.ok()) << record.status();
    EXPECT_TRUE(HasWinInOne(record->position)) << fen;
    EXPECT_FALSE(IsInsufficientMaterial(record->position)) << fen;
    // The other side, on move, cannot win: the same men are a draw then.
    Position turned = record->position;
    turned.SwitchSide();
    EXPECT_TRUE(IsInsufficientMaterial(turned)) << fen;
  }
}

}  // namespace
}  // namespace chuhe
