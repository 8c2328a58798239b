#include "engine/rules/verdict.h"

#include <set>

#include "engine/rules/judge.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

TEST(VerdictTest, NamesSideKindMenAndPlies) {
  EXPECT_EQ(JudgedText(PlayGame("4k4/9/5R3/9/9/4P4/9/9/9/3K5 w",
                                "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9")),
            "red loses: perpetual check by Red in plies 1 to 8");
  // The rook goes after a cannon that nobody protects.
  EXPECT_EQ(JudgedText(PlayGame("3k5/9/9/6c2/9/9/9/6R2/9/5K3 b",
                                "g6h6 g2h2 h6g6 h2g2 g6h6 g2h2 h6g6 h2g2")),
            "red loses: perpetual chase of Black's cannon g6 by Red's rook g2 in plies 1 to 8");
  EXPECT_EQ(JudgedText(PlayGame("4k4/7n1/9/4pR3/9/9/4P4/9/9/4K4 w",
                                "f6h6 h8f7 h6h7 f7g5 h7g7 g5i6 g7g6 i6h8 g6h6 h8f7 h6h7 f7g5 h7g7 "
                                "g5i6 g7g6 i6h8 g6h6")),
            "draw: mutual chase: perpetual chase of Red's rook h6 by Black's knight h8; perpetual "
            "chase of Black's knight h8 by Red's rook h6 in plies 2 to 17");
  EXPECT_EQ(JudgedText(PlayGame("3akr3/5c3/1P2b4/4R4/9/9/9/9/9/4CK3 w",
                                "e6e7 f8e8 e7f7 e8f8 f7e7 f8e8 e7f7 e8f8 f7e7 f8e8 e7f7")),
            "draw: mutual perpetual check in plies 4 to 11");
  EXPECT_EQ(JudgedText(
                PlayGame("4k4/9/9/9/9/9/4P4/9/9/3K5 w", "d0d1 e9f9 d1d0 f9e9 d0d1 e9f9 d1d0 f9e9")),
            "draw: quiet repetition, neither side checks or chases perpetually in plies 1 to 8");
  EXPECT_EQ(JudgedText(PlayGame("4k4/9/9/9/9/9/4P4/9/9/3K5 w", "")), "undecided: the game goes on");
}

TEST(VerdictTest, CxaNamesTheKindsOfAForbiddenLoop) {
  EXPECT_EQ(JudgedText(PlayGame("2bak4/4a4/4b4/8p/5R3/8P/n8/1r2C4/9/1cBAKAB2 w",
                                "f5h5 e9f9 h5f5 f9e9 f5h5 e9f9 h5f5 f9e9 f5h5", RuleSet::kCxa)),
            "red loses: forbidden loop by Red (check, kill) in plies 2 to 9");
}

TEST(VerdictTest, ReasonsHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(Reason::kPlyCap); ++i) {
    names.insert(std::string(ReasonName(static_cast<Reason>(i))));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(Reason::kPlyCap) + 1);
  EXPECT_EQ(names.count(""), 0u);
}

}  // namespace
}  // namespace chuhe
