#include "engine/search/alphabeta_path.h"

#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "engine/board/fen.h"
#include "engine/rules/notation/coordinates.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

// A black rook checks the red king up and down; Black to move.
constexpr std::string_view kChecks = "3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 1";
// Both sides only walk to and fro.
constexpr std::string_view kQuiet = "3k5/9/9/9/R8/8r/9/9/9/5K3 w - - 0 1";
constexpr std::string_view kQuietLoop = "a5a6 i4i3 a6a5 i3i4";

void Play(SearchPath* path, std::string_view moves) {
  std::istringstream words{std::string(moves)};
  for (std::string word; words >> word;) path->Make(*ParseUci(word));
}

std::string Twice(std::string_view moves) { return std::string(moves) + " " + std::string(moves); }

class SearchPathTest : public testing::Test {
 protected:
  // Starts at the end of a game and plays on.
  SearchPath& At(std::string_view fen, std::string_view game, std::string_view path) {
    path_ = std::make_unique<SearchPath>(PlayGame(fen, game));
    Play(path_.get(), path);
    return *path_;
  }

  std::unique_ptr<SearchPath> path_;
};

TEST_F(SearchPathTest, DecidesNothingWhereNothingRecurs) {
  const Ruling ruling = At(kQuiet, "", "a5a6 i4i3 a6a5").Judge();
  EXPECT_FALSE(ruling.is_decided);
  EXPECT_FALSE(ruling.has_recurred);
}

TEST_F(SearchPathTest, JudgesTheThirdOccurrenceOfGameAndPath) {
  // The first two in the game, the third after the first ply of the path.
  const Ruling ruling = At(kChecks, "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1 a0a1", "e1e0").Judge();
  EXPECT_TRUE(ruling.is_decided);
  EXPECT_EQ(ruling.result, -1);  // Black, to move, has checked perpetually
  EXPECT_LT(ruling.since, 0);
}

TEST_F(SearchPathTest, DrawsTheThirdOccurrenceOfAQuietLoop) {
  const Ruling ruling = At(kQuiet, kQuietLoop, kQuietLoop).Judge();
  EXPECT_TRUE(ruling.is_decided);
  EXPECT_EQ(ruling.result, 0);
  EXPECT_LT(ruling.since, 0);
}

TEST_F(SearchPathTest, WaitsForTheThirdOccurrenceWhenTheFirstLiesInTheGame) {
  const Ruling ruling = At(kQuiet, "a5a6 i4i3", "a6a5 i3i4").Judge();
  EXPECT_FALSE(ruling.is_decided);
  EXPECT_TRUE(ruling.has_recurred);
}

TEST_F(SearchPathTest, WaitsWhenTheFirstOccurrenceIsTheRoot) {
  EXPECT_FALSE(At(kQuiet, "", kQuietLoop).Judge().is_decided);
}

TEST_F(SearchPathTest, DrawsTheSecondOccurrenceOfAQuietLoopBelowTheRoot) {
  const Ruling ruling = At(kQuiet, "", "f0e0 d9e9 e0f0 e9d9 a5a6").Judge();
  EXPECT_FALSE(ruling.is_decided);
  const Ruling below = At(kQuiet, "", "a5b5 i4i3 b5a5 i3h3 a5b5 h3i3 b5a5 i3h3").Judge();
  EXPECT_TRUE(below.is_decided);
  EXPECT_EQ(below.result, 0);
  EXPECT_EQ(below.since, 4);
}

// Red's king comes to e0 from the side, then the checks go round.
constexpr std::string_view kEntry = "3k5/9/9/9/9/9/9/9/r8/5K3 w - - 0 1";
constexpr std::string_view kRound = "f0e0 a1a0 e0e1 a0a1 e1e0";

TEST_F(SearchPathTest, ForeseesALossByRuleOnlyWhenTheLoopIsClosed) {
  // Red has come to e0 for the second time, but the first time from elsewhere.
  const Ruling entering = At(kEntry, "", kRound).Judge();
  EXPECT_FALSE(entering.is_decided);
  EXPECT_TRUE(entering.has_recurred);
  // One ply more, and the position before has recurred as well.
  const Ruling closed = At(kEntry, "", std::string(kRound) + " a1a0").Judge();
  EXPECT_TRUE(closed.is_decided);
  EXPECT_EQ(closed.result, 1);  // Red, to move, was checked all the time
  EXPECT_LT(closed.since, 0);
}

TEST_F(SearchPathTest, ForeseesNoLossWhenAPositionInsideHasAlreadyOccurredTwice) {
  // The same, but the king has stood on e1 with the rook on a0 in the game before: that position
  // would come to its third occurrence first.
  const std::string_view fen = "3k5/9/9/9/9/9/9/4K4/9/r8 w - - 0 1";
  const Ruling ruling =
      At(fen, "e2e1 a0a2 e1f1 a2a3 f1f0 a3a1", std::string(kRound) + " a1a0").Judge();
  EXPECT_FALSE(ruling.is_decided);
  EXPECT_TRUE(ruling.has_recurred);
}

TEST_F(SearchPathTest, ForeseesNoLossAtTheLimitWithoutCapture) {
  // Black's checks count ten times at most, so the counter stands still in the end.
  const Ruling ruling =
      At("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 115 80", "", "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1").Judge();
  EXPECT_TRUE(ruling.is_decided);
  EXPECT_EQ(ruling.result, 0);
}

TEST_F(SearchPathTest, DrawsAtTheLimitWithoutCapture) {
  const Ruling ruling = At("3k5/9/9/9/R8/8r/9/9/9/5K3 w - - 118 80", "", "a5a6 i4i3").Judge();
  EXPECT_TRUE(ruling.is_decided);
  EXPECT_EQ(ruling.result, 0);
  EXPECT_LT(ruling.since, 0);
}

TEST_F(SearchPathTest, DecidesNothingAtTheLimitWhenThereIsNoMove) {
  SearchPath& path = At("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 119 80", "", "b7b9");
  EXPECT_FALSE(path.Judge().is_decided);
}

TEST_F(SearchPathTest, DrawsInsufficientMaterialWhateverThePathWas) {
  const Ruling ruling = At("3k5/9/9/9/r8/R8/9/9/9/5K3 w - - 0 1", "", "a4a5 d9d8").Judge();
  EXPECT_FALSE(ruling.is_decided);
  const Ruling bare = At("3k5/3P5/9/9/9/9/9/9/9/5K3 b - - 0 1", "", "d9d8").Judge();
  EXPECT_TRUE(bare.is_decided);
  EXPECT_EQ(bare.result, 0);
  EXPECT_EQ(bare.since, Ruling::kIndependent);
}

TEST_F(SearchPathTest, TakesPassesBackExactly) {
  SearchPath& path = At(kQuiet, "a5a6", "i4i3 f0f1");
  const Position before = path.position();
  path.Pass();
  EXPECT_NE(path.position().side_to_move(), before.side_to_move());
  Play(&path, "f1f2 d9d8");
  path.Pass();
  Play(&path, "d8d9");
  for (int i = 0; i < 5; ++i) path.Unmake();
  EXPECT_EQ(path.position(), before);
  EXPECT_EQ(path.position().key(), before.key());
  EXPECT_EQ(path.ply(), 2);
  path.Unmake();
  path.Unmake();
  EXPECT_EQ(path.ply(), 0);
}

TEST_F(SearchPathTest, SeesNoRepetitionAcrossAPass) {
  SearchPath& path = At(kQuiet, "", "a5a6");
  path.Pass();
  Play(&path, "a6a5 i4i3 a5a6");
  path.Pass();
  EXPECT_FALSE(path.Judge().has_recurred);
}

TEST_F(SearchPathTest, CountsARepetitionAfterAPassAsADraw) {
  SearchPath& path = At(kQuiet, "", "a5a6");
  path.Pass();
  Play(&path, "a6a5 i4i3 a5a6 i3i4");
  const Ruling ruling = path.Judge();
  EXPECT_TRUE(ruling.is_decided);
  EXPECT_EQ(ruling.result, 0);
  EXPECT_EQ(ruling.since, 2);
}

TEST_F(SearchPathTest, StartsAnewAtTheGameGiven) {
  SearchPath& path = At(kQuiet, "", Twice(kQuietLoop));
  path.Reset(PlayGame(kQuiet, "a5a6"));
  EXPECT_EQ(path.ply(), 0);
  EXPECT_EQ(path.position(), PlayGame(kQuiet, "a5a6").position());
  Play(&path, "i4i3 a6a5 i3i4");
  EXPECT_FALSE(path.Judge().is_decided);
}

}  // namespace
}  // namespace chuhe
