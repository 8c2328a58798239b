// Repetition and the other rules, as they guide the search.
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/alphabeta.h"
#include "engine/search/alphabeta_score.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

SearchLine SearchDepth(const Game& game, int depth) {
  AlphaBetaSearcher searcher({.hash_bytes = 1 << 22});
  searcher.SetGame(game);
  SearchLimits limits;
  limits.depth = depth;
  return searcher.Search(limits, SearchSignal(), nullptr).progress.lines[0];
}

std::string FirstMove(const SearchLine& line) { return FormatUci(line.moves[0]); }

// Black's rook checks the king up and down, and loses by that.
constexpr std::string_view kChecks = "3ak4/4a4/9/9/9/9/9/9/r8/4K4 b - - 0 1";

TEST(AlphaBetaRulesTest, TakesTheWinningVerdict) {
  // Red can get out of the checks, but repeating once more wins at once.
  const Game game = PlayGame(kChecks, "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1 a0a1");
  ASSERT_EQ(game.Adjudicate().outcome, Outcome::kUndecided);
  const SearchLine line = SearchDepth(game, 4);
  EXPECT_EQ(FirstMove(line), "e1e0");
  EXPECT_TRUE(IsDecisiveScore(line.score.centipawns));
  EXPECT_GT(line.score.centipawns, 0);
  EXPECT_FALSE(line.score.mate_in.has_value());
}

TEST(AlphaBetaRulesTest, DoesNotCompleteALosingLoop) {
  // One more check, and Red's king completes the third occurrence.
  const Game game = PlayGame(kChecks, "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1");
  for (int depth = 2; depth <= 6; ++depth) {
    const SearchLine line = SearchDepth(game, depth);
    EXPECT_NE(FirstMove(line), "a0a1") << depth;
    EXPECT_GT(line.score.centipawns, 0) << depth;
  }
}

TEST(AlphaBetaRulesTest, SeesNoRefugeInPerpetualCheck) {
  // Black, a rook behind and about to be mated, could check for ever: that loses, so nobody may
  // count on a draw.
  const std::string_view fen = "3k5/9/7R1/8R/9/9/9/9/r8/4K4 b - - 0 1";
  for (int depth = 6; depth <= 9; ++depth) {
    EXPECT_LT(SearchDepth(PlayGame(fen, ""), depth).score.centipawns, -500) << depth;
  }
}

TEST(AlphaBetaRulesTest, SavesItselfByAQuietRepetition) {
  // Both may only walk to and fro: third occurrence of a quiet loop is a draw, and Black, who is
  // ahead, avoids it.
  const std::string_view fen = "3k5/9/9/9/R8/8r/p3p4/9/9/5K3 w - - 0 1";
  const Game game = PlayGame(fen, "a5a6 i4i3 a6a5 i3i4 a5a6 i4i3 a6a5");
  EXPECT_NE(FirstMove(SearchDepth(game, 4)), "i3i4");
}

TEST(AlphaBetaRulesTest, KnowsTheLimitWithoutCapture) {
  // Red is a rook ahead but has no time: any move but a capture draws.
  const Game game = PlayGame("3k5/9/9/9/R8/9/9/9/9/5K3 w - - 119 90", "");
  EXPECT_EQ(SearchDepth(game, 3).score.centipawns, 0);
}

TEST(AlphaBetaRulesTest, MatesOnTheLastPlyBeforeTheLimit) {
  const Game game = PlayGame("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 119 90", "");
  EXPECT_EQ(SearchDepth(game, 3).score.mate_in, 1);
}

TEST(AlphaBetaRulesTest, KnowsMaterialThatCannotWin) {
  // After the king takes the pawn nothing is left that could win.
  const Game game = PlayGame("3k5/3P5/9/9/9/9/9/9/9/5K3 b - - 0 1", "");
  const SearchLine line = SearchDepth(game, 3);
  EXPECT_EQ(FirstMove(line), "d9d8");
  EXPECT_EQ(line.score.centipawns, 0);
}

TEST(AlphaBetaRulesTest, PlaysOnFromAPositionThatTheRulesHaveDecided) {
  const Game game = PlayGame(kChecks, "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1 a0a1 e1e0");
  ASSERT_EQ(game.Adjudicate().outcome, Outcome::kBlackLoses);
  const SearchLine line = SearchDepth(game, 4);
  EXPECT_TRUE(IsLegal(game.position(), line.moves[0]));
}

// Searches games one after the other with the same table.
class SharedTableTest : public testing::Test {
 protected:
  int ScoreOf(const Game& game, int depth = 6) {
    searcher_.SetGame(game);
    SearchLimits limits;
    limits.depth = depth;
    return searcher_.Search(limits, SearchSignal(), nullptr).progress.lines[0].score.centipawns;
  }

  AlphaBetaSearcher searcher_{{.hash_bytes = 1 << 22}};
};

// Red mates in three, that is with the fifth ply, and there is nothing to take.
constexpr std::string_view kMateInThree = "9/4k4/9/9/1R7/P1B3P2/2P6/B8/4A4/4KA1N1 w - - ";

TEST_F(SharedTableTest, DoesNotKeepDrawsByTheLimit) {
  EXPECT_EQ(ScoreOf(PlayGame(std::string(kMateInThree) + "116 90", "")), 0);
  EXPECT_EQ(ScoreOf(PlayGame(std::string(kMateInThree) + "0 1", "")), kMate - 5);
}

TEST_F(SharedTableTest, DoesNotTrustScoresFromFarOffTheLimitNearIt) {
  EXPECT_EQ(ScoreOf(PlayGame(std::string(kMateInThree) + "0 1", "")), kMate - 5);
  EXPECT_EQ(ScoreOf(PlayGame(std::string(kMateInThree) + "116 90", "")), 0);
}

TEST_F(SharedTableTest, DoesNotKeepVerdictsThatNeedTheHistory) {
  // Twice around: Black's next check but one loses, and then there is nothing but that.
  const int fresh = ScoreOf(PlayGame(kChecks, ""));
  searcher_.Clear();
  for (const std::string_view moves :
       {"a1a0 e0e1 a0a1 e1e0 a1a0 e0e1", "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1 a0a1",
        "a1a0 e0e1 a0a1 e1e0"}) {
    ScoreOf(PlayGame(kChecks, moves));
  }
  EXPECT_NEAR(ScoreOf(PlayGame(kChecks, "")), fresh, 60);
}

}  // namespace
}  // namespace chuhe
