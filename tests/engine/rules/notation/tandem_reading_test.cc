// Several men of a kind on a file, in every school that is read. Every case is tried for Red and
// for Black.
#include <vector>

#include "gtest/gtest.h"
#include "tests/engine/rules/notation/reading.h"
#include "tests/engine/rules/notation/tandems.h"

namespace chuhe {
namespace {

void ExpectReadings(const std::string& fen, const std::vector<ReadingCase>& cases) {
  const Position position = PositionOf(fen);
  const Position turned = TurnedPosition(position);
  for (const ReadingCase& reading : cases) {
    EXPECT_EQ(Read(position, reading.text), reading.move) << reading.text;
    EXPECT_EQ(Read(turned, reading.text), TurnedMove(reading.move)) << reading.text << " (Black)";
  }
}

// Texts that must fail with a word of the message.
void ExpectErrors(const std::string& fen, const std::string& word,
                  const std::vector<const char*>& texts) {
  const Position position = PositionOf(fen);
  for (const Position& start : {position, TurnedPosition(position)}) {
    for (const char* text : texts) {
      const std::string answer = Read(start, text);
      EXPECT_TRUE(answer.starts_with("error: ")) << text << " was read as " << answer;
      EXPECT_NE(answer.find(word), std::string::npos) << answer;
    }
  }
}

TEST(TandemReadingTest, TwoRooks) {
  ExpectReadings(kRooks, {{"前车平五", "c7e7"},
                          {"后车进一", "c4c5"},
                          {"前車退一", "c7c6"},
                          {"後俥平五", "c4e4"},
                          {"车前平五", "c7e7"},
                          {"车后平五", "c4e4"},
                          {"前车七平五", "c7e7"},
                          {"一车平五", "c7e7"},
                          {"二车平五", "c4e4"},
                          {"R+.5", "c7e7"},
                          {"R-.5", "c4e4"},
                          {"+R.5", "c7e7"},
                          {"-R.5", "c4e4"},
                          {"R+=5", "c7e7"},
                          {"r--1", "c4c3"},
                          {"R++1", "c7c8"},
                          {"R+-1", "c7c6"},
                          {"R-+1", "c4c5"},
                          // By the file alone where only one of them can go there.
                          {"车七退四", "c4c0"},
                          {"R7-4", "c4c0"}});
  ExpectErrors(kRooks, "ambiguous", {"车七平五", "R7.5", "车七进一", "R7+2"});
  ExpectErrors(kRooks, "illegal",
               {"中车平五", "三车平五", "前车退三", "后车进三", "R=.5", "车一平五"});
}

TEST(TandemReadingTest, TwoKnightsAndTwoCannons) {
  ExpectReadings(kKnights, {{"前马进六", "c6d8"},
                            {"后马进六", "c3d5"},
                            {"前馬退9", "c6a5"},
                            {"H++6", "c6d8"},
                            {"N-+6", "c3d5"},
                            {"M+-8", "c6b4"},
                            {"-h-6", "c3d1"}});
  ExpectReadings(kCannons, {{"后炮平五", "c3e3"},
                            {"后包平5", "c3e3"},
                            {"前砲退一", "c6c5"},
                            {"C--1", "c3c2"},
                            {"C-.5", "c3e3"}});
  // The rear cannon cannot jump over the front one without a target.
  ExpectErrors(kCannons, "illegal", {"后炮进五", "C-+5"});
}

TEST(TandemReadingTest, ManOffTheFileDoesNotCount) {
  ExpectReadings(kPawnsAndOne, {{"前兵进一", "c7c8"},
                                {"后兵平八", "c6b6"},
                                {"兵三进一", "g6g7"},
                                {"P++1", "c7c8"},
                                {"P-.8", "c6b6"},
                                {"P3+1", "g6g7"},
                                {"Pa+1", "c7c8"},
                                {"Pb.8", "c6b6"},
                                {"一兵进一", "c7c8"},
                                {"二兵平八", "c6b6"}});
  ExpectErrors(kPawnsAndOne, "illegal", {"三兵进一", "Pc+1", "中兵进一", "前三进一"});
  // The third knight of a kind would be off the file too: here the second one.
  ExpectErrors("3k5/9/9/2N6/9/9/3N5/9/9/4K4 w", "illegal", {"前马进六", "后马进六", "H++6"});
}

TEST(TandemReadingTest, ThreePawnsOnAFile) {
  ExpectReadings(kThree, {{"前兵平八", "c7b7"},
                          {"中兵平八", "c6b6"},
                          {"后兵平八", "c5b5"},
                          {"前卒进1", "c7c8"},
                          {"一兵平八", "c7b7"},
                          {"二兵平八", "c6b6"},
                          {"三兵平八", "c5b5"},
                          {"3卒平8", "c5b5"},
                          {"２兵平６", "c6d6"},
                          {"前七平八", "c7b7"},
                          {"中七平八", "c6b6"},
                          {"后七平八", "c5b5"},
                          {"前兵七平八", "c7b7"},
                          {"中兵七平八", "c6b6"},
                          {"二兵七平八", "c6b6"},
                          {"三七平八", "c5b5"},
                          {"兵中平八", "c6b6"},
                          {"兵七进一", "c7c8"}});
  ExpectReadings(kThree, {{"P+.8", "c7b7"}, {"P7.8", "c6b6"}, {"P-.8", "c5b5"}, {"P=.8", "c6b6"},
                          {"P..8", "c6b6"}, {"P==8", "c6b6"}, {"=P.8", "c6b6"}, {"+P.8", "c7b7"},
                          {"P++1", "c7c8"}, {"P7+1", "c7c8"},  // the middle one is blocked
                          {"7+.8", "c7b7"}, {"7-.8", "c5b5"}, {"7=.8", "c6b6"}, {"Pa.8", "c7b7"},
                          {"Pb.8", "c6b6"}, {"PC.8", "c5b5"}, {"17=8", "c7b7"}, {"27.8", "c6b6"},
                          {"37=8", "c5b5"}, {"17+1", "c7c8"}, {"++.8", "c7b7"}, {"--.8", "c5b5"}});
  ExpectErrors(kThree, "ambiguous", {"兵七平八"});
  ExpectErrors(kThree, "illegal", {"四兵平八", "47=8", "后兵进一", "前兵退一"});
}

TEST(TandemReadingTest, FourPawnsOnAFile) {
  ExpectReadings(kFour, {{"前兵平八", "c8b8"},
                         {"一兵平八", "c8b8"},
                         {"二兵平八", "c7b7"},
                         {"三兵平八", "c6b6"},
                         {"四兵平八", "c5b5"},
                         {"后兵平八", "c5b5"},
                         {"前七平八", "c8b8"},
                         {"后七平八", "c5b5"},
                         {"二七平八", "c7b7"},
                         {"前兵进一", "c8c9"},
                         {"兵七进一", "c8c9"}});
  ExpectReadings(kFour, {{"++.8", "c8b8"},
                         {"P+.8", "c7b7"},
                         {"P-.8", "c6b6"},
                         {"--.8", "c5b5"},
                         {"+++1", "c8c9"},
                         {"P++1", "c8c9"},  // the second one is blocked
                         {"Pa.8", "c8b8"},
                         {"Pb.8", "c7b7"},
                         {"Pc.8", "c6b6"},
                         {"Pd.8", "c5b5"},
                         {"17=8", "c8b8"},
                         {"37=8", "c6b6"},
                         {"47=8", "c5b5"}});
  ExpectErrors(kFour, "illegal", {"中兵平八", "五兵平八", "P=.8", "Pe.8"});
}

TEST(TandemReadingTest, FivePawnsOnAFile) {
  ExpectReadings(kFive, {{"前兵平八", "c9b9"},
                         {"一兵平八", "c9b9"},
                         {"二兵平八", "c8b8"},
                         {"三兵平八", "c7b7"},
                         {"中兵平八", "c7b7"},
                         {"四兵平八", "c6b6"},
                         {"五兵平八", "c5b5"},
                         {"后兵平八", "c5b5"}});
  ExpectReadings(kFive, {{"++.8", "c9b9"},
                         {"P+.8", "c8b8"},
                         {"P7.8", "c7b7"},
                         {"P-.8", "c6b6"},
                         {"--.8", "c5b5"},
                         {"Pa.8", "c9b9"},
                         {"Pe.8", "c5b5"},
                         {"17=8", "c9b9"},
                         {"57=8", "c5b5"}});
  ExpectErrors(kFive, "illegal", {"前兵进一", "兵七进一"});
}

TEST(TandemReadingTest, TwoFilesWithTwoPawnsEach) {
  ExpectReadings(kTwoAndTwo, {// which-word and file, with the piece or without
                              {"前三平四", "g7f7"},
                              {"后三平二", "g6h6"},
                              {"前七进一", "c7c8"},
                              {"后7平8", "c6b6"},
                              {"前兵三进一", "g7g8"},
                              {"后兵七平六", "c6d6"},
                              {"前卒7平6", "c7d7"},
                              // XQWizard
                              {"一兵进一", "g7g8"},
                              {"二兵平四", "g6f6"},
                              {"三兵进一", "c7c8"},
                              {"四兵平八", "c6b6"},
                              {"4卒平8", "c6b6"},
                              // within one file, where only one move fits
                              {"二兵平八", "c6b6"},
                              {"一兵平八", "c7b7"},
                              {"一七平八", "c7b7"},
                              {"2三平2", "g6h6"},
                              {"前兵平八", "c7b7"},
                              {"后兵平四", "g6f6"},
                              {"兵三进一", "g7g8"}});
  ExpectReadings(kTwoAndTwo, {{"3+.4", "g7f7"},
                              {"3-.2", "g6h6"},
                              {"7++1", "c7c8"},
                              {"7-.8", "c6b6"},
                              {"+3.4", "g7f7"},
                              {"P+3.4", "g7f7"},
                              {"Pa+1", "g7g8"},
                              {"Pb.4", "g6f6"},
                              {"Pc+1", "c7c8"},
                              {"Pd.8", "c6b6"},
                              {"13+1", "g7g8"},
                              {"23=2", "g6h6"},
                              {"17+1", "c7c8"},
                              {"27=8", "c6b6"},
                              {"P+.8", "c7b7"}});
  ExpectErrors(kTwoAndTwo, "ambiguous", {"前兵进一", "P++1", "兵七平八", "P3.4"});
  ExpectErrors(kTwoAndTwo, "illegal", {"中三平四", "33.4", "五兵平八", "前五进一", "后三进一"});
}

TEST(TandemReadingTest, AmbiguityListsTheCandidates) {
  EXPECT_EQ(Read(kTwoAndTwo, "前兵进一"),
            "error: move 1 \"前兵进一\" at line 1, column 1 is ambiguous: it could be "
            "前七进一 (c7c8) or 前三进一 (g7g8)");
}

TEST(TandemReadingTest, TwoPawnsOnTheRightAndThreeOnTheLeft) {
  ExpectReadings(kTwoRightThreeLeft, {{"前七平八", "c7b7"},
                                      {"中七平八", "c6b6"},
                                      {"中7平8", "c6b6"},
                                      {"后七平八", "c5b5"},
                                      {"前三平四", "g7f7"},
                                      {"后三平四", "g6f6"},
                                      // XQWizard, also where counting within a file would differ
                                      {"一兵平四", "g7f7"},
                                      {"二兵平四", "g6f6"},
                                      {"三兵平八", "c7b7"},
                                      {"三兵进一", "c7c8"},
                                      {"四兵平八", "c6b6"},
                                      {"五兵平八", "c5b5"},
                                      // within one file
                                      {"二兵平八", "c6b6"},
                                      {"三七平八", "c5b5"},
                                      {"二7平6", "c6d6"},
                                      {"中兵平八", "c6b6"},
                                      {"中兵七平八", "c6b6"}});
  ExpectReadings(kTwoRightThreeLeft, {{"7+.8", "c7b7"},
                                      {"77.8", "c6b6"},
                                      {"7-.8", "c5b5"},
                                      {"7=.8", "c6b6"},
                                      {"3-.2", "g6h6"},
                                      {"Pc.8", "c7b7"},
                                      {"Pe.8", "c5b5"},
                                      {"17=8", "c7b7"},
                                      {"27=8", "c6b6"},
                                      {"37=8", "c5b5"}});
}

TEST(TandemReadingTest, ThreePawnsOnTheRightAndTwoOnTheLeft) {
  ExpectReadings(kThreeRightTwoLeft, {{"前三平四", "g7f7"},
                                      {"中三平四", "g6f6"},
                                      {"后三平四", "g5f5"},
                                      {"前七平八", "c7b7"},
                                      {"后七平八", "c6b6"},
                                      {"一兵平四", "g7f7"},
                                      {"三兵平四", "g5f5"},
                                      {"四兵平八", "c7b7"},
                                      {"五兵平八", "c6b6"}});
  ExpectReadings(kThreeRightTwoLeft, {{"3+.4", "g7f7"},
                                      {"33.4", "g6f6"},  // not the third one: our school wins
                                      {"3-.4", "g5f5"},
                                      {"23=4", "g6f6"},
                                      {"7+.8", "c7b7"},
                                      {"Pd.8", "c7b7"}});
}

TEST(TandemReadingTest, PawnBesideTwoTandems) {
  ExpectReadings(kTwoAndTwoAndOne, {{"兵九进一", "a4a5"}, {"P9+1", "a4a5"}, {"四兵平八", "c6b6"}});
  ExpectErrors(kTwoAndTwoAndOne, "illegal", {"五兵进一", "前九进一"});
}

TEST(TandemReadingTest, AdvisorsOnOneFile) {
  ExpectReadings(kAdvisors, {{"仕六进五", "d0e1"},
                             {"士六退五", "d2e1"},
                             {"士6上5", "d0e1"},
                             {"仕6下5", "d2e1"},
                             {"前仕退五", "d2e1"},
                             {"后士进五", "d0e1"},
                             {"A6+5", "d0e1"},
                             {"a6-5", "d2e1"},
                             {"A+-5", "d2e1"},
                             {"A-+5", "d0e1"}});
  ExpectErrors(kAdvisors, "illegal", {"仕六进七", "前仕进五", "仕六平五", "A6.5", "A4+5"});
}

TEST(TandemReadingTest, BishopsOnOneFile) {
  ExpectReadings(kBishops, {{"相七进五", "c0e2"},
                            {"象七退五", "c4e2"},
                            {"相7进9", "c0a2"},
                            {"前相退九", "c4a2"},
                            {"后象进五", "c0e2"},
                            {"E7+5", "c0e2"},
                            {"B7-5", "c4e2"},
                            {"e+-9", "c4a2"}});
  ExpectErrors(kBishops, "illegal", {"前相进五", "相七平五", "E7+6"});
}

}  // namespace
}  // namespace chuhe
