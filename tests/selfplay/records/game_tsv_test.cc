#include "selfplay/records/game_tsv.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

TEST(GameTsvTest, ReadsNamedColumnsInAnyOrder) {
  const auto collection = ParseGameTsv(
      "moves\tother\tstart\tresult\r\n"
      "h2e2 h9g7\tx\tstartpos\t1-0\r\n"
      "\n"
      "e0e1\t\t3k5/9/9/9/9/9/9/9/9/4K4 w - - 5 1\t1/2-1/2\n",
      "games.tsv");
  ASSERT_TRUE(collection.ok()) << collection.status();
  ASSERT_EQ(collection->games.size(), 2u);
  EXPECT_EQ(collection->skipped, 0);
  EXPECT_EQ(collection->games[0].plies.size(), 2u);
  EXPECT_EQ(collection->games[0].outcome, Outcome::kBlackLoses);
  EXPECT_EQ(collection->games[1].start_no_capture_plies, 5);
  EXPECT_EQ(collection->games[1].outcome, Outcome::kDraw);
}

TEST(GameTsvTest, SkipsBadGamesAndNamesTheFirst) {
  const auto collection = ParseGameTsv(
      "result\tstart\tmoves\n"
      "1-0\tstartpos\th2e2\n"
      "1-0\tstartpos\th2e2 h2e2\n"
      "2-0\tstartpos\th2e2\n"
      "*\tstartpos\n",
      "games.tsv");
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_EQ(collection->games.size(), 1u);
  EXPECT_EQ(collection->skipped, 3);
  EXPECT_EQ(collection->first_problem, "games.tsv:3: move 2 'h2e2' is illegal");
}

TEST(GameTsvTest, ErrorsNameWhatIsMissing) {
  const struct {
    const char* text;
    const char* what;
  } cases[] = {
      {"", "no column 'result'"},
      {"result\tstart\n", "no column 'moves'"},
      {"result\tstart\tmoves\n", "games.tsv: no games"},
      {"result\tstart\tmoves\n1-0\tstartpos\t\n", "the game has no moves"},
      {"result\tstart\tmoves\n1-0\tnowhere\th2e2\n", "games.tsv:2: FEN board"},
      {"result\tstart\tmoves\nwon\tstartpos\th2e2\n", "result 'won'"},
  };
  for (const auto& bad : cases) {
    const auto collection = ParseGameTsv(bad.text, "games.tsv");
    ASSERT_FALSE(collection.ok()) << bad.what;
    EXPECT_THAT(std::string(collection.status().message()), HasSubstr(bad.what));
  }
}

}  // namespace
}  // namespace chuhe
