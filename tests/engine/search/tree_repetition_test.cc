#include "engine/search/tree_repetition.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/tree_search.h"
#include "engine/search/tree_searcher.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

// A black rook checks the red king up and down; Black to move.
constexpr std::string_view kChecks = "3k5/9/9/9/9/9/9/9/r8/4K4 b - - 0 1";
// Red's king comes to e0 from the side, then the checks go round.
constexpr std::string_view kEntry = "3k5/9/9/9/9/9/9/9/r8/5K3 w - - 0 1";
constexpr std::string_view kRound = "f0e0 a1a0 e0e1 a0a1 e1e0";
// Both sides only walk to and fro.
constexpr std::string_view kQuiet = "3k5/9/9/9/R8/8r/9/9/9/5K3 w - - 0 1";
constexpr std::string_view kQuietLoop = "a5a6 i4i3 a6a5 i3i4";

// Of the position after a game and a path below its end.
std::string Judge(std::string_view fen, std::string_view game, std::string_view path) {
  Game at = PlayGame(fen, std::string(game) + " " + std::string(path));
  const Position before = at.position();
  const int plies = at.plies();
  const int depth = plies - PlayGame(fen, game).plies();
  const RepetitionRuling ruling = JudgeRepetitionInTree(&at, depth);
  EXPECT_EQ(at.position(), before);
  EXPECT_EQ(at.plies(), plies);
  const std::string outcome = ruling.outcome == Outcome::kUndecided  ? "undecided"
                              : ruling.outcome == Outcome::kDraw     ? "draw"
                              : ruling.outcome == Outcome::kRedLoses ? "red loses"
                                                                     : "black loses";
  return (ruling.is_twofold ? "second time: " : "") + outcome;
}

std::string Join(std::string_view a, std::string_view b) {
  return std::string(a) + " " + std::string(b);
}

TEST(TreeRepetitionTest, NothingIsDecidedWhereNothingRecurs) {
  EXPECT_EQ(Judge(kQuiet, "", "a5a6 i4i3 a6a5"), "undecided");
}

TEST(TreeRepetitionTest, TheThirdOccurrenceCountsGameAndPath) {
  EXPECT_EQ(Judge(kChecks, "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1 a0a1", "e1e0"), "black loses");
  EXPECT_EQ(Judge(kQuiet, kQuietLoop, kQuietLoop), "draw");
}

TEST(TreeRepetitionTest, ASecondOccurrenceWaitsWhenTheFirstIsNotBelowTheRoot) {
  EXPECT_EQ(Judge(kQuiet, "a5a6 i4i3", "a6a5 i3i4"), "undecided");
  EXPECT_EQ(Judge(kQuiet, "", kQuietLoop), "undecided");
  EXPECT_EQ(Judge(kChecks, "", "a1a0 e0e1 a0a1 e1e0"), "undecided");
}

TEST(TreeRepetitionTest, ASecondOccurrenceOfAQuietLoopIsADraw) {
  EXPECT_EQ(Judge(kQuiet, "", "a5b5 i4i3 b5a5 i3h3 a5b5 h3i3 b5a5 i3h3"), "second time: draw");
}

TEST(TreeRepetitionTest, ALossIsForeseenOnlyWhenTheLoopIsClosed) {
  // Red has come to e0 for the second time, but the first time from elsewhere.
  EXPECT_EQ(Judge(kEntry, "", kRound), "undecided");
  EXPECT_EQ(Judge(kEntry, "", Join(kRound, "a1a0")), "second time: black loses");
  EXPECT_EQ(Judge(kChecks, "", "a1a0 e0e1 a0a1 e1e0 a1a0"), "second time: black loses");
}

TEST(TreeRepetitionTest, NoLossIsForeseenWhenAPositionInsideHasAlreadyOccurredTwice) {
  // The king has stood on e1 with the rook on a0 in the game before: that position would come to
  // its third occurrence first.
  EXPECT_EQ(Judge("3k5/9/9/9/9/9/9/4K4/9/r8 w - - 0 1", "e2e1 a0a2 e1f1 a2a3 f1f0 a3a1",
                  Join(kRound, "a1a0")),
            "undecided");
}

TEST(TreeRepetitionTest, NoLossIsForeseenAtTheLimitWithoutCapture) {
  EXPECT_EQ(Judge("3k5/9/9/9/9/9/9/9/r8/4K4 b - - 115 80", "", "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1"),
            "undecided");
}

// A second occurrence, judged as if it were decided wherever it is closed, must agree with the
// third when the loop is simply walked once more.
TEST(TreeRepetitionTest, WhatIsForeseenIsWhatTheThirdOccurrenceBrings) {
  struct Case {
    std::string_view fen;
    std::string_view before;
    std::string_view loop;
  };
  const std::vector<Case> cases = {
      {kEntry, "f0e0 a1a0", "e0e1 a0a1 e1e0 a1a0"},
      {kQuiet, "a5b5 i4i3", "b5a5 i3i4 a5b5 i4i3"},
      // Red's rook chases the black rook along the files.
      {"3k5/9/9/9/8r/9/9/9/8R/4K4 w - - 0 1", "i1i2 i5h5", "i2h2 h5i5 h2i2 i5h5"},
  };
  for (const Case& c : cases) {
    const std::string once = Join(c.before, c.loop);
    const Game third = PlayGame(c.fen, Join(once, c.loop));
    const Outcome outcome = third.JudgeRepetition().outcome;
    ASSERT_NE(outcome, Outcome::kUndecided);
    Game second = PlayGame(c.fen, once);
    const RepetitionRuling ruling = JudgeRepetitionInTree(&second, second.plies());
    EXPECT_TRUE(ruling.is_twofold) << c.loop;
    EXPECT_EQ(ruling.outcome, outcome) << c.loop;
  }
}

// Counts rooks and knows nothing else.
class RookEvaluator : public Evaluator {
 public:
  void Evaluate(std::span<EvaluationRequest> requests) override {
    UniformEvaluator().Evaluate(requests);
    for (EvaluationRequest& request : requests) {
      const Color side = request.position.side_to_move();
      const int lead = request.position.count(side, PieceType::kRook) -
                       request.position.count(Opponent(side), PieceType::kRook);
      const float value = 0.4f * static_cast<float>(lead);
      request.wdl = {std::max(0.0f, value), 1 - std::abs(value), std::max(0.0f, -value)};
    }
  }
};

class TreeRulesTest : public testing::Test {
 protected:
  SearchResult Search(const Game& game, int64_t nodes) {
    searcher_.SetGame(game);
    SearchLimits limits;
    limits.nodes = nodes;
    return searcher_.Search(limits, SearchSignal(), nullptr);
  }

  RookEvaluator evaluator_;
  TreeSearcher searcher_{&evaluator_, TreeSearchOptions{}};
};

// Black, a rook behind and about to be mated, could check for ever: that loses, so nobody may count
// on a draw.
TEST_F(TreeRulesTest, SeesNoRefugeInPerpetualCheck) {
  const Game game = PlayGame("3k5/7R1/9/8R/9/9/4p4/9/r8/4K4 b - - 0 1", "");
  const SearchResult result = Search(game, 5000);
  EXPECT_LT(result.progress.lines.front().score.centipawns, CentipawnsOfValue(-0.38f));
}

TEST_F(TreeRulesTest, TakesTheWinningVerdict) {
  const std::string_view fen = "3ak4/4a4/9/9/9/9/9/9/r8/4K4 b - - 0 1";
  const SearchResult result = Search(PlayGame(fen, "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1 a0a1"), 3000);
  EXPECT_EQ(FormatUci(result.best_move), "e1e0");
  EXPECT_FALSE(result.progress.lines.front().score.mate_in.has_value());
  EXPECT_GT(result.progress.lines.front().score.centipawns, 1000);
}

TEST_F(TreeRulesTest, DoesNotCompleteALosingLoop) {
  const std::string_view fen = "3ak4/4a4/9/9/9/9/9/9/r8/4K4 b - - 0 1";
  const Game game = PlayGame(fen, "a1a0 e0e1 a0a1 e1e0 a1a0 e0e1");
  for (const int64_t nodes : {100, 1000, 10000}) {
    EXPECT_NE(FormatUci(Search(game, nodes).best_move), "a0a1") << nodes;
  }
}

// The decided second occurrence is looked at again when the root moves into its loop.
TEST_F(TreeRulesTest, IsReopenedWhenTheRootMovesIntoTheLoop) {
  Game game = PlayGame(kChecks, "");
  Search(game, 3000);
  for (const std::string_view move : {"a1a0", "e0e1", "a0a1", "e1e0", "a1a0", "e0e1"}) {
    game.Make(*ParseUci(std::string(move)));
    const SearchResult result = Search(game, 3000);
    ASSERT_TRUE(IsLegal(game.position(), result.best_move));
  }
  // Black's check would now be the last one.
  EXPECT_NE(FormatUci(Search(game, 3000).best_move), "a0a1");
}

}  // namespace
}  // namespace chuhe
