#include "engine/rules/notation/glyph.h"

#include <string>
#include <vector>

#include "engine/board/types.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

// All characters of `text` must fold to this kind and value.
void ExpectAll(std::string_view text, GlyphKind kind, int value) {
  for (size_t at = 0; at < text.size();) {
    const Glyph glyph = GlyphAt(text, at);
    ASSERT_NE(glyph.bytes, 0);
    EXPECT_EQ(glyph.kind, kind) << text.substr(at, glyph.bytes);
    EXPECT_EQ(glyph.value, value) << text.substr(at, glyph.bytes);
    at += glyph.bytes;
  }
}

TEST(GlyphTest, FoldsEveryPieceCharacter) {
  ExpectAll("帅帥将將", GlyphKind::kPiece, Index(PieceType::kKing));
  ExpectAll("仕士", GlyphKind::kPiece, Index(PieceType::kAdvisor));
  ExpectAll("相象", GlyphKind::kPiece, Index(PieceType::kBishop));
  ExpectAll("马馬傌", GlyphKind::kPiece, Index(PieceType::kKnight));
  ExpectAll("车車俥硨", GlyphKind::kPiece, Index(PieceType::kRook));
  ExpectAll("炮砲包", GlyphKind::kPiece, Index(PieceType::kCannon));
  ExpectAll("兵卒", GlyphKind::kPiece, Index(PieceType::kPawn));
}

TEST(GlyphTest, FoldsDirectionsAndWhichWords) {
  ExpectAll("进進上", GlyphKind::kDirection, static_cast<int>(Direction::kForward));
  ExpectAll("退下", GlyphKind::kDirection, static_cast<int>(Direction::kBack));
  ExpectAll("平", GlyphKind::kDirection, static_cast<int>(Direction::kSideways));
  ExpectAll("前", GlyphKind::kWhich, static_cast<int>(Which::kFront));
  ExpectAll("中", GlyphKind::kWhich, static_cast<int>(Which::kMiddle));
  ExpectAll("后後", GlyphKind::kWhich, static_cast<int>(Which::kRear));
}

TEST(GlyphTest, FoldsDigitsOfAllKinds) {
  ExpectAll("1１一壹", GlyphKind::kDigit, 1);
  ExpectAll("2２二贰貳", GlyphKind::kDigit, 2);
  ExpectAll("3３三叁參", GlyphKind::kDigit, 3);
  ExpectAll("4４四肆", GlyphKind::kDigit, 4);
  ExpectAll("5５五伍", GlyphKind::kDigit, 5);
  ExpectAll("6６六陆陸", GlyphKind::kDigit, 6);
  ExpectAll("7７七柒", GlyphKind::kDigit, 7);
  ExpectAll("8８八捌", GlyphKind::kDigit, 8);
  ExpectAll("9９九玖", GlyphKind::kDigit, 9);
  ExpectAll("0０", GlyphKind::kDigit, 0);
}

TEST(GlyphTest, FoldsSignsAndLettersOfBothWidths) {
  ExpectAll("rRｒＲ", GlyphKind::kLetter, 'r');
  ExpectAll("+＋", GlyphKind::kPlus, 0);
  ExpectAll("-－−–", GlyphKind::kMinus, 0);
  ExpectAll("=＝", GlyphKind::kEquals, 0);
  ExpectAll(".．", GlyphKind::kDot, 1);
  ExpectAll("…⋯", GlyphKind::kEllipsis, 2);
  ExpectAll("(（", GlyphKind::kOpenParenthesis, 0);
  ExpectAll("}｝", GlyphKind::kCloseBrace, 0);
}

TEST(GlyphTest, BlanksOfAllKinds) {
  ExpectAll(" \t\r\n\f\v\u00a0\u3000\u2003\u200b\ufeff\u2028", GlyphKind::kBlank, 0);
}

TEST(GlyphTest, TellsChineseCharacters) {
  EXPECT_TRUE(GlyphAt("三", 0).han);
  EXPECT_TRUE(GlyphAt("兵", 0).han);
  EXPECT_TRUE(GlyphAt("平", 0).han);
  EXPECT_FALSE(GlyphAt("３", 0).han);
  EXPECT_FALSE(GlyphAt("3", 0).han);
}

TEST(GlyphTest, EndHasNoLength) {
  EXPECT_EQ(GlyphAt("a", 1).kind, GlyphKind::kEnd);
  EXPECT_EQ(GlyphAt("a", 1).bytes, 0);
  EXPECT_EQ(GlyphAt("", 7).kind, GlyphKind::kEnd);
}

TEST(GlyphTest, BrokenUtf8IsInvalidAndOneByteLong) {
  const std::vector<std::string> broken = {
      "\x80",              // continuation first
      "\xc0\xaf",          // overlong
      "\xc1\xbf",          // overlong
      "\xe0\x80\xaf",      // overlong
      "\xf0\x80\x80\xaf",  // overlong
      "\xed\xa0\x80",      // surrogate
      "\xf4\x90\x80\x80",  // beyond U+10FFFF
      "\xf5\x80\x80\x80",  // beyond U+10FFFF
      "\xff",
      "\xe7",          // cut off
      "\xe7\x82",      // cut off
      "\xe7\x82 ",     // cut off by a blank
      "\xf0\x9f\x80",  // cut off
      "\xc5\xda",      // 炮 in GBK
  };
  for (const std::string& text : broken) {
    EXPECT_EQ(GlyphAt(text, 0).kind, GlyphKind::kInvalid);
    EXPECT_EQ(GlyphAt(text, 0).bytes, 1);
  }
}

TEST(GlyphTest, EveryCodePointHasItsLength) {
  const std::string text = "a¢€\U0001f600";
  EXPECT_EQ(GlyphAt(text, 0).bytes, 1);
  EXPECT_EQ(GlyphAt(text, 1).bytes, 2);
  EXPECT_EQ(GlyphAt(text, 3).bytes, 3);
  EXPECT_EQ(GlyphAt(text, 6).bytes, 4);
  EXPECT_EQ(GlyphAt(text, 6).kind, GlyphKind::kOther);
}

}  // namespace
}  // namespace chuhe
