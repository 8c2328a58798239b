#include "engine/rules/chase.h"

#include "engine/board/fen.h"
#include "engine/rules/exchange.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

Position At(const char* fen) {
  const auto record = ParseFen(fen);
  EXPECT_TRUE(record.ok()) << fen << ": " << record.status();
  return record.ok() ? record->position : Position::Start();
}

Square SquareNamed(const char* name) { return MakeSquare(name[0] - 'a', name[1] - '0'); }

struct ThreatCase {
  const char* what;
  const char* fen;
  const char* attacker;
  const char* victim;
  bool is_capture;
  bool is_chase;
};

class ThreatTest : public ::testing::TestWithParam<ThreatCase> {};

TEST_P(ThreatTest, IsFoundForWhatItIs) {
  const ThreatCase& c = GetParam();
  const Position position = At(c.fen);
  const Unit attacker = position.unit_at(SquareNamed(c.attacker));
  const Unit victim = position.unit_at(SquareNamed(c.victim));
  ASSERT_NE(attacker, kNoUnit);
  ASSERT_NE(victim, kNoUnit);
  const Threats threats = FindThreats(position, ColorOf(attacker));
  EXPECT_EQ(threats.captures.Contains(attacker, victim), c.is_capture) << c.what;
  EXPECT_EQ(threats.chases.Contains(attacker, victim), c.is_chase) << c.what;
}

INSTANTIATE_TEST_SUITE_P(
    Table, ThreatTest,
    ::testing::Values(
        ThreatCase{"an unprotected cannon", "3k5/9/9/9/c3R4/9/9/9/9/5K3 b", "e5", "a5", true, true},
        ThreatCase{"protected by a rook", "r2k5/9/9/9/c3R4/9/9/9/9/5K3 b", "e5", "a5", true, false},
        ThreatCase{"the protector is pinned", "3k5/9/9/9/3r4n/9/9/9/3R4R/5K3 b", "i1", "i5", true,
                   true},
        ThreatCase{"a rook attacked by a knight, protected", "r2k5/9/9/9/r8/9/1N7/9/9/5K3 b", "b3",
                   "a5", true, true},
        ThreatCase{"a rook attacked by a cannon, protected", "r2k5/9/9/9/r1p1C4/9/9/9/9/5K3 b",
                   "e5", "a5", true, true},
        ThreatCase{"rook against rook that can hit back", "3k5/9/9/9/r3R4/9/9/9/9/5K3 b", "e5",
                   "a5", true, false},
        ThreatCase{"rook against a rook pinned across", "3k5/9/9/9/R2r5/9/9/9/3R5/5K3 w", "a5",
                   "d5", true, true},
        ThreatCase{"the pinner against the rook that it pins", "3k5/9/9/9/R2r5/9/9/9/3R5/5K3 w",
                   "d1", "d5", true, false},
        ThreatCase{"knight against a knight with a blocked leg", "3k5/9/9/3n5/3P5/4N4/9/9/9/5K3 b",
                   "e4", "d6", true, true},
        ThreatCase{"knight against a knight that can hit back", "3k5/9/9/3n5/9/4N4/9/9/9/5K3 b",
                   "e4", "d6", true, false},
        ThreatCase{"a pawn across the river", "3k5/9/9/9/9/9/p3R4/9/9/5K3 b", "e3", "a3", true,
                   true},
        ThreatCase{"a pawn at home is no object", "3k5/9/9/p3R4/9/9/9/9/9/5K3 b", "e6", "a6", false,
                   false},
        ThreatCase{"a pawn's own threats do not count", "3k5/9/9/nP7/9/9/9/9/9/5K3 b", "b6", "a6",
                   false, false},
        ThreatCase{"a king's own threats do not count", "3k5/9/9/9/9/9/9/9/4n4/4K4 b", "e0", "e1",
                   false, false},
        ThreatCase{"a pinned attacker is none", "4k4/4r4/9/9/9/c3R4/9/9/9/4K4 b", "e4", "a4", false,
                   false},
        ThreatCase{"a pinned attacker may take its pinner", "4k4/9/4r4/9/9/c3R4/9/9/9/4K4 b", "e4",
                   "e7", true, false},
        ThreatCase{"a king protects", "3ck4/9/9/9/9/9/9/3R5/9/5K3 b", "d2", "d9", true, false},
        ThreatCase{"a king that would face the other does not protect",
                   "3nk4/9/9/9/9/9/9/3R5/9/3K5 b", "d2", "d9", true, true},
        ThreatCase{"a standing check is tolerated", "4k4/4r4/9/9/9/c7R/9/9/9/4K4 w", "i4", "a4",
                   true, true},
        ThreatCase{"an advisor attacks a protected cannon", "r3k4/9/9/9/9/9/9/3cr4/4A4/5K3 b", "e1",
                   "d2", true, true}));

TEST(PairSetTest, SubtractsAndIntersectsByPairs) {
  const Unit rook = FirstUnit(Color::kRed, PieceType::kRook);
  const Unit cannon = FirstUnit(Color::kRed, PieceType::kCannon);
  const Unit victim = FirstUnit(Color::kBlack, PieceType::kKnight);
  PairSet both;
  both.Add(rook, victim);
  both.Add(cannon, victim);
  PairSet one;
  one.Add(rook, victim);
  EXPECT_TRUE((both - one).Contains(cannon, victim));
  EXPECT_FALSE((both - one).Contains(rook, victim));
  EXPECT_EQ((both & one).AttackersOf(UnitBit(victim), Color::kRed), UnitBit(rook));
  EXPECT_EQ(both.victims(), UnitBit(victim));
}

struct ExchangeCase {
  const char* what;
  const char* fen;
  const char* square;
  int gain;
};

class ExchangeTest : public ::testing::TestWithParam<ExchangeCase> {};

TEST_P(ExchangeTest, IsPlayedOutWithLegalMoves) {
  Position position = At(GetParam().fen);
  const Position before = position;
  EXPECT_EQ(ExchangeGain(&position, SquareNamed(GetParam().square)), GetParam().gain)
      << GetParam().what;
  EXPECT_TRUE(position == before);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ExchangeTest,
    ::testing::Values(ExchangeCase{"nobody attacks", "3k5/9/9/9/n8/9/9/9/9/5K3 w", "a5", 0},
                      ExchangeCase{"a free knight", "3k5/9/9/9/n3R4/9/9/9/9/5K3 w", "a5", 4},
                      ExchangeCase{"a rook does not take a protected knight",
                                   "r2k5/9/9/9/n3R4/9/9/9/9/5K3 w", "a5", 0},
                      ExchangeCase{"rook and knight against one protector",
                                   "r2k5/9/9/9/n3R4/9/1N7/9/9/5K3 w", "a5", 4},
                      ExchangeCase{"two rooks against a knight that a knight protects",
                                   "3k5/9/1n7/9/n3R4/9/9/9/9/R4K3 w", "a5", 0},
                      ExchangeCase{"a pinned protector does not count",
                                   "3k5/9/9/9/3r4n/9/9/9/3R4R/5K3 w", "i5", 4},
                      ExchangeCase{"a crossed pawn for an advisor",
                                   "3k5/4a4/3aP4/9/9/9/9/9/9/5K3 w", "d7", 0}));

}  // namespace
}  // namespace chuhe
