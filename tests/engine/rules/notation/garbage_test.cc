// Text from outside may be anything: the reader ends, and what it read is legal.
#include <string>
#include <string_view>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/move_text.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr std::string_view kPieces[] = {
    "炮", "马", "車",  "兵", "卒", "仕",   "象",   "将",   "前", "后",  "中", "一", "二",
    "三", "五", "九",  "进", "退", "平",   "上",   "1",    "2",  "3",   "5",  "8",  "9",
    "0",  "１", "５",  "+",  "-",  ".",    "=",    "C",    "H",  "R",   "P",  "A",  "e",
    "a",  "h2", "e2",  "c3", "c4", " ",    "…",    "…………", "1.", "12.", "(",  ")",  "{",
    "}",  "*",  "1-0", "和", "胜", "\xff", "\xe7", "\n",   "、", "$"};
constexpr std::string_view kGame =
    "1.兵七进一炮2平32.炮八平五炮8平5 3. h0g2 H9-G7 4.Ｒ１．２{（注}P3+1 5...... 1-0";

void ExpectLegalReading(const std::string& text) {
  const MoveTextReading reading = ReadMoveText(Position::Start(), text);
  Position position = reading.start;
  for (const Move move : reading.moves) {
    ASSERT_TRUE(IsLegal(position, move)) << text;
    position.Make(move);
  }
  if (!reading.status.ok()) {
    EXPECT_NE(reading.status.message(), "");
  }
}

TEST(GarbageTest, RandomBytes) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(random.Below(40), '\0');
    for (char& c : text) {
      c = static_cast<char>(random.Below(256));
    }
    ExpectLegalReading(text);
  }
}

TEST(GarbageTest, RandomPartsOfMoves) {
  Random random(2);
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (uint64_t parts = random.Below(30); parts > 0; --parts) {
      text += kPieces[random.Below(std::size(kPieces))];
    }
    ExpectLegalReading(text);
  }
}

TEST(GarbageTest, GamesCutAndBroken) {
  Random random(3);
  for (size_t length = 0; length <= kGame.size(); ++length) {
    ExpectLegalReading(std::string(kGame.substr(0, length)));
    ExpectLegalReading(std::string(kGame.substr(length)));
  }
  for (int i = 0; i < 20000; ++i) {
    std::string text(kGame);
    for (uint64_t changes = 1 + random.Below(4); changes > 0; --changes) {
      text[random.Below(text.size())] = static_cast<char>(random.Below(256));
    }
    ExpectLegalReading(text);
  }
}

TEST(GarbageTest, DeeplyNestedAndVeryLongTexts) {
  ExpectLegalReading(std::string(1'000'000, '('));
  ExpectLegalReading(std::string(500'000, '(') + std::string(500'000, ')'));
  ExpectLegalReading(std::string(1'000'000, '1'));
  ExpectLegalReading(std::string(1'000'000, '.'));
  ExpectLegalReading(std::string(1'000'000, 'x'));
}

}  // namespace
}  // namespace chuhe
