#include "engine/protocol/move_list.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "engine/board/fen.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

std::vector<std::string> Words(const std::string& text) {
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

std::string Zero(const std::vector<Move>& moves) {
  std::string text;
  for (const Move move : moves) {
    text += (text.empty() ? "" : " ") + FormatUci(move);
  }
  return text;
}

MoveListReading Read(const std::string& text, RankBase preferred = RankBase::kZero,
                     const Position& start = Position::Start()) {
  return ReadMoveList(start, Words(text), preferred);
}

TEST(MoveListTest, ReadsRanksFromZeroAndFromOne) {
  for (const RankBase preferred : {RankBase::kZero, RankBase::kOne}) {
    const MoveListReading zero = Read("h2e2 h9g7 h0g2", preferred);
    EXPECT_EQ(Zero(zero.moves), "h2e2 h9g7 h0g2");
    EXPECT_EQ(zero.base, RankBase::kZero);
    EXPECT_EQ(zero.fault, "");
    const MoveListReading one = Read("h3e3 h10g8 h1g3 a10a9", preferred);
    EXPECT_EQ(Zero(one.moves), "h2e2 h9g7 h0g2 a9a8");
    EXPECT_EQ(one.base, RankBase::kOne);
    EXPECT_EQ(one.fault, "");
  }
}

TEST(MoveListTest, WhereBothReadingsAreLegalThePreferredOneCounts) {
  const Position position = ParseFen("3k5/9/9/9/9/9/9/R8/R8/4K4 w - - 0 1").value().position;
  EXPECT_EQ(Zero(Read("a2a3", RankBase::kZero, position).moves), "a2a3");
  EXPECT_EQ(Zero(Read("a2b2", RankBase::kOne, position).moves), "a1b1");
  // A later move decides for the whole list.
  EXPECT_EQ(Zero(Read("a2b2 d10d9 b2b3", RankBase::kZero, position).moves), "a1b1 d9d8 b1b2");
}

TEST(MoveListTest, EndsAtTheFirstIllegalMoveAndSaysWhy) {
  const MoveListReading reading = Read("h2e2 h7c7 h0g2 h9g7");
  EXPECT_EQ(reading.fault, "");
  const Position position = ParseFen("4k4/9/9/9/9/9/9/9/4A4/3K1R3 w").value().position;
  const MoveListReading other = Read("h2e2 h7c7", RankBase::kZero, position);
  EXPECT_TRUE(other.moves.empty());
  EXPECT_NE(other.fault.find("move 1 \"h2e2\" is illegal: no man on h2"), std::string::npos)
      << other.fault;
  const MoveListReading third = Read("h2e2 h9g7 rubbish h0g2");
  EXPECT_EQ(Zero(third.moves), "h2e2 h9g7");
  EXPECT_EQ(third.fault, "move 3 \"rubbish\" is no move");
}

TEST(MoveListTest, TakesOtherSpellingsOfSquares) {
  EXPECT_EQ(Zero(Read("H2E2 H9-G7 h0-g2").moves), "h2e2 h9g7 h0g2");
}

TEST(MoveListTest, AlternativesAreTheLegalOnesOnce) {
  const Position start = Position::Start();
  const auto read = [&start](const std::string& text) {
    return Zero(ReadAlternatives(start, Words(text), RankBase::kZero));
  };
  EXPECT_EQ(read("h2e2 a0a5 h2e2 b0c2 nonsense"), "h2e2 b0c2");
  EXPECT_EQ(read("h3e3 b1c3"), "h2e2 b0c2");
  EXPECT_EQ(read(""), "");
}

}  // namespace
}  // namespace chuhe
