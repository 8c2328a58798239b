#include "selfplay/play/material_balance.h"

#include "engine/board/fen.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(MaterialBalanceTest, CountsMenAndPawnsAcrossTheRiver) {
  struct Case {
    const char* fen;
    double balance;
    Outcome outcome;  // with a margin of 3
  };
  constexpr Case kCases[] = {
      {"startpos", 0, Outcome::kDraw},
      {"4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1", 9, Outcome::kBlackLoses},
      {"4k4/4c4/9/9/9/9/9/9/9/3K5 w - - 0 1", -4.5, Outcome::kRedLoses},
      {"4k4/9/9/9/8P/8P/9/9/9/3K5 w - - 0 1", 3, Outcome::kBlackLoses},
      {"4k4/9/9/9/p8/p8/9/9/9/3K5 w - - 0 1", -3, Outcome::kRedLoses},
      {"4k4/9/9/p8/p8/9/9/9/9/3K5 w - - 0 1", -2, Outcome::kDraw},
      // Advisors and bishops win nothing.
      {"4k4/9/9/9/9/9/9/4B4/4A4/3K1AB2 w - - 0 1", 8, Outcome::kDraw},
  };
  for (const Case& c : kCases) {
    const auto record = ParseFen(c.fen);
    ASSERT_TRUE(record.ok()) << c.fen << record.status();
    EXPECT_EQ(MaterialBalance(record->position), c.balance) << c.fen;
    EXPECT_EQ(AdjudicateByMaterial(record->position, 3), c.outcome) << c.fen;
  }
}

}  // namespace
}  // namespace chuhe
