// Single moves of the WXF and Chinese notations away from tandems: every spelling of the parts.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/engine/rules/notation/reading.h"

namespace chuhe {
namespace {

const Position kStart = Position::Start();
// Black to move, with men of all kinds that can go forward and back.
constexpr char kBlackToMove[] = "2b1k1b2/4a4/9/2n3n2/r7r/9/2p3p2/1c5c1/9/5K3 b";

TEST(SymbolsTest, ChineseOfBothSides) {
  EXPECT_EQ(Read(kStart, "炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1"),
            "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5");
  EXPECT_EQ(Read(kStart, "帅五进一 将５进１ 帅五退一"), Read(kStart, "K5+1 K5+1 K5-1"));
}

TEST(SymbolsTest, EveryPieceCharacterNamesEitherSide) {
  for (const char* text : {"炮二平五", "砲二平五", "包二平五", "炮2平5", "炮２平５", "炮貳平伍"}) {
    EXPECT_EQ(Read(kStart, text), "h2e2") << text;
  }
  for (const char* text : {"马二进三", "馬二進三", "傌二進三", "马2进3", "马二上三"}) {
    EXPECT_EQ(Read(kStart, text), "h0g2") << text;
  }
  for (const char* text : {"车一进一", "車一進一", "俥一進一", "硨一進一", "车１进１"}) {
    EXPECT_EQ(Read(kStart, text), "i0i1") << text;
  }
  for (const char* text : {"相三进五", "象三进五", "象3上5"}) {
    EXPECT_EQ(Read(kStart, text), "g0e2") << text;
  }
  for (const char* text : {"仕四进五", "士四进五", "士4上5"}) {
    EXPECT_EQ(Read(kStart, text), "f0e1") << text;
  }
  for (const char* text : {"帅五进一", "帥五進一", "将5进1", "將五上一"}) {
    EXPECT_EQ(Read(kStart, text), "e0e1") << text;
  }
  for (const char* text : {"兵七进一", "卒七进一", "卒7进1", "兵柒進壹"}) {
    EXPECT_EQ(Read(kStart, text), "c3c4") << text;
  }
  for (const char* text : {"卒3进1", "卒３進１", "兵三进一", "兵叁进壹", "卒三上1"}) {
    EXPECT_EQ(Read(kStart, std::string("炮二平五") + text), "h2e2 c6c5") << text;
  }
}

TEST(SymbolsTest, BlackCountsFromItsOwnRight) {
  EXPECT_EQ(Read(kBlackToMove, "车1进1"), "a5a4");
  EXPECT_EQ(Read(kBlackToMove, "车9退2"), "i5i7");
  EXPECT_EQ(Read(kBlackToMove, "炮8平5"), "h2e2");
  EXPECT_EQ(Read(kBlackToMove, "马3进4"), "c6d4");
  EXPECT_EQ(Read(kBlackToMove, "马7退5"), "g6e7");
  EXPECT_EQ(Read(kBlackToMove, "象3进1"), "c9a7");
  EXPECT_EQ(Read(kBlackToMove, "士5进6"), "e8f7");
  EXPECT_EQ(Read(kBlackToMove, "士5退4"), "e8d9");
  EXPECT_EQ(Read(kBlackToMove, "卒7平6"), "g3f3");
  EXPECT_EQ(Read(kBlackToMove, "将5平4"), "e9d9");
}

TEST(SymbolsTest, WxfLettersAndSigns) {
  for (const char* text : {"C2.5", "C2=5", "c2.5", "Ｃ２＝５", "Ｃ２．５", "c2=5"}) {
    EXPECT_EQ(Read(kStart, text), "h2e2") << text;
  }
  for (const char* text : {"H2+3", "h2+3", "N2+3", "n2+3", "M2+3", "Ｈ２＋３"}) {
    EXPECT_EQ(Read(kStart, text), "h0g2") << text;
  }
  for (const char* text : {"E3+5", "e3+5", "B3+5", "b3+5"}) {
    EXPECT_EQ(Read(kStart, text), "g0e2") << text;
  }
  for (const char* text : {"A4+5", "a4+5"}) {
    EXPECT_EQ(Read(kStart, text), "f0e1") << text;
  }
  EXPECT_EQ(Read(kStart, "K5+1"), "e0e1");
  EXPECT_EQ(Read(kStart, "R1+2"), "i0i2");
  EXPECT_EQ(Read(kStart, "P7+1"), "c3c4");
  EXPECT_EQ(Read(kStart, "C2+7"), "h2h9");
  EXPECT_EQ(Read(kStart, "C2-1"), "h2h1");
  EXPECT_EQ(Read(kStart, "C2－1"), "h2h1");
}

TEST(SymbolsTest, WxfOfBlackInEitherCase) {
  EXPECT_EQ(Read(kBlackToMove, "a5-4"), "e8d9");
  EXPECT_EQ(Read(kBlackToMove, "A5+6"), "e8f7");
  EXPECT_EQ(Read(kBlackToMove, "h3+4"), "c6d4");
  EXPECT_EQ(Read(kBlackToMove, "E3+1"), "c9a7");
  EXPECT_EQ(Read(kBlackToMove, "c8.5"), "h2e2");
  EXPECT_EQ(Read(kBlackToMove, "r9-2"), "i5i7");
}

TEST(SymbolsTest, NumberOfAdvisorsBishopsAndKnightsIsAFile) {
  // As distances these would be other moves, or none.
  EXPECT_EQ(Read(kStart, "A6+5"), "d0e1");
  EXPECT_EQ(Read(kStart, "E7+9"), "c0a2");
  EXPECT_EQ(Read(kStart, "H8+9"), "b0a2");
  EXPECT_EQ(Read(kStart, "H8+7"), "b0c2");
  EXPECT_TRUE(Read(kStart, "A6+1").starts_with("error: "));
}

TEST(SymbolsTest, WritesRedAndBlackOfTheRecords) {
  const std::string fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR ";
  const struct {
    const char* move;
    const char* chinese;
    const char* traditional;
    const char* wxf;
  } kRed[] = {{"h2e2", "炮二平五", "炮二平五", "C2.5"}, {"h0g2", "马二进三", "馬二進三", "H2+3"},
              {"i0i2", "车一进二", "車一進二", "R1+2"}, {"g0e2", "相三进五", "相三進五", "E3+5"},
              {"f0e1", "仕四进五", "仕四進五", "A4+5"}, {"e0e1", "帅五进一", "帥五進一", "K5+1"},
              {"c3c4", "兵七进一", "兵七進一", "P7+1"}, {"b2b1", "炮八退一", "炮八退一", "C8-1"}},
    kBlack[] = {{"h7e7", "炮８平５", "炮８平５", "C8.5"}, {"b9c7", "马２进３", "馬２進３", "H2+3"},
                {"i9i7", "车９进２", "車９進２", "R9+2"}, {"c9e7", "象３进５", "象３進５", "E3+5"},
                {"d9e8", "士４进５", "士４進５", "A4+5"}, {"e9e8", "将５进１", "將５進１", "K5+1"},
                {"g6g5", "卒７进１", "卒７進１", "P7+1"}, {"b7b8", "炮２退１", "炮２退１", "C2-1"}};
  for (const auto& row : kRed) {
    EXPECT_EQ(Written(fen + "w", row.move, Notation::kChinese), row.chinese);
    EXPECT_EQ(Written(fen + "w", row.move, Notation::kTraditional), row.traditional);
    EXPECT_EQ(Written(fen + "w", row.move, Notation::kWxf), row.wxf);
  }
  for (const auto& row : kBlack) {
    EXPECT_EQ(Written(fen + "b", row.move, Notation::kChinese), row.chinese);
    EXPECT_EQ(Written(fen + "b", row.move, Notation::kTraditional), row.traditional);
    EXPECT_EQ(Written(fen + "b", row.move, Notation::kWxf), row.wxf);
  }
  EXPECT_EQ(Written(fen + "w", "h2e2", Notation::kIccs), "H2-E2");
  EXPECT_EQ(Written(fen + "w", "h2e2", Notation::kUci), "h2e2");
  EXPECT_EQ(Written(fen + "b", "a9a8", Notation::kFairy), "a10a9");
}

TEST(NotationTest, NamesAreInTheOrderOfTheEnum) {
  ASSERT_EQ(NotationNames().size(), 6u);
  EXPECT_EQ(NotationNamed("iccs"), Notation::kIccs);
  EXPECT_EQ(NotationNamed("uci"), Notation::kUci);
  EXPECT_EQ(NotationNamed("fairy"), Notation::kFairy);
  EXPECT_EQ(NotationNamed("wxf"), Notation::kWxf);
  EXPECT_EQ(NotationNamed("chinese"), Notation::kChinese);
  EXPECT_EQ(NotationNamed("traditional"), Notation::kTraditional);
  EXPECT_EQ(NotationNamed("Chinese"), std::nullopt);
}

}  // namespace
}  // namespace chuhe
