// Several men of a kind on a file, as our schools write them, for Red and for Black.
#include <vector>

#include "gtest/gtest.h"
#include "tests/engine/rules/notation/reading.h"
#include "tests/engine/rules/notation/tandems.h"

namespace chuhe {
namespace {

struct WritingCase {
  const char* move;
  const char* red;
  const char* black;  // the turned move in the turned position
};

void ExpectWritings(const std::string& fen, Notation notation,
                    const std::vector<WritingCase>& cases) {
  const Position position = PositionOf(fen);
  const Position turned = TurnedPosition(position);
  for (const WritingCase& writing : cases) {
    EXPECT_EQ(WriteMove(position, MoveOf(writing.move), notation), writing.red);
    EXPECT_EQ(WriteMove(turned, MoveOf(TurnedMove(writing.move)), notation), writing.black);
  }
}

TEST(TandemWritingTest, Chinese) {
  ExpectWritings(kRooks, Notation::kChinese,
                 {{"c7e7", "前车平五", "前车平５"}, {"c4c5", "后车进一", "后车进１"}});
  ExpectWritings(kPawnsAndOne, Notation::kChinese,
                 {{"c7c8", "前兵进一", "前卒进１"}, {"g6g7", "兵三进一", "卒３进１"}});
  ExpectWritings(kThreeAndOne, Notation::kChinese,
                 {{"c7b7", "前兵平八", "前卒平８"},
                  {"c6b6", "中兵平八", "中卒平８"},
                  {"c5b5", "后兵平八", "后卒平８"},
                  {"g4g5", "兵三进一", "卒３进１"}});
  ExpectWritings(kFour, Notation::kChinese,
                 {{"c8b8", "前兵平八", "前卒平８"},
                  {"c7b7", "二兵平八", "二卒平８"},
                  {"c6b6", "三兵平八", "三卒平８"},
                  {"c5b5", "四兵平八", "四卒平８"}});
  ExpectWritings(kFive, Notation::kChinese,
                 {{"c9b9", "前兵平八", "前卒平８"}, {"c5b5", "五兵平八", "五卒平８"}});
  ExpectWritings(kTwoRightThreeLeft, Notation::kChinese,
                 {{"c7b7", "前七平八", "前７平８"},
                  {"c6b6", "中七平八", "中７平８"},
                  {"c5b5", "后七平八", "后７平８"},
                  {"g7g8", "前三进一", "前３进１"},
                  {"g6h6", "后三平二", "后３平２"}});
  ExpectWritings(kAdvisors, Notation::kChinese,
                 {{"d0e1", "仕六进五", "士６进５"}, {"d2e1", "仕六退五", "士６退５"}});
  ExpectWritings(kBishops, Notation::kChinese,
                 {{"c0a2", "相七进九", "象７进９"}, {"c4a2", "相七退九", "象７退９"}});
}

TEST(TandemWritingTest, Traditional) {
  ExpectWritings(kRooks, Notation::kTraditional,
                 {{"c7e7", "前車平五", "前車平５"}, {"c4c5", "後車進一", "後車進１"}});
  ExpectWritings(kKnights, Notation::kTraditional,
                 {{"c6b4", "前馬退八", "前馬退８"}, {"c3d5", "後馬進六", "後馬進６"}});
  ExpectWritings(kTwoRightThreeLeft, Notation::kTraditional,
                 {{"c5b5", "後七平八", "後７平８"}, {"e0e1", "帥五進一", "將５進１"}});
}

TEST(TandemWritingTest, Wxf) {
  ExpectWritings(kRooks, Notation::kWxf, {{"c7e7", "R+.5", "R+.5"}, {"c4c3", "R--1", "R--1"}});
  ExpectWritings(kThreeAndOne, Notation::kWxf,
                 {{"c7b7", "P+.8", "P+.8"},
                  {"c6b6", "P7.8", "P7.8"},
                  {"c5b5", "P-.8", "P-.8"},
                  {"g4g5", "P3+1", "P3+1"}});
  ExpectWritings(kFour, Notation::kWxf,
                 {{"c8b8", "++.8", "++.8"},
                  {"c7b7", "P+.8", "P+.8"},
                  {"c6b6", "P-.8", "P-.8"},
                  {"c5b5", "--.8", "--.8"}});
  ExpectWritings(kFive, Notation::kWxf,
                 {{"c9b9", "++.8", "++.8"},
                  {"c8b8", "P+.8", "P+.8"},
                  {"c7b7", "P7.8", "P7.8"},
                  {"c6b6", "P-.8", "P-.8"},
                  {"c5b5", "--.8", "--.8"}});
  ExpectWritings(kTwoAndTwoAndOne, Notation::kWxf,
                 {{"g7g8", "3++1", "3++1"}, {"c6b6", "7-.8", "7-.8"}, {"a4a5", "P9+1", "P9+1"}});
  ExpectWritings(kThreeRightTwoLeft, Notation::kWxf,
                 {{"g6f6", "33.4", "33.4"}, {"g5f5", "3-.4", "3-.4"}, {"c7b7", "7+.8", "7+.8"}});
  ExpectWritings(kAdvisors, Notation::kWxf, {{"d0e1", "A6+5", "A6+5"}, {"d2e1", "A6-5", "A6-5"}});
}

}  // namespace
}  // namespace chuhe
