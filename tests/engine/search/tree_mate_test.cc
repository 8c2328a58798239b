// Mates that the tree search announces: found, the shortest, and real.
#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/tree_searcher.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/loops.h"
#include "tests/engine/rules/play.h"
#include "tests/engine/search/listed_positions.h"
#include "tests/engine/search/mate_solver.h"

namespace chuhe {
namespace {

// Visits within which a mate in one, two, three is announced as such without any knowledge.
constexpr int kVisitsToProve[] = {0, 500, 20000, 400000};

SearchResult SearchNodes(TreeSearcher* searcher, const Game& game, int64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  searcher->SetGame(game);
  return searcher->Search(limits, SearchSignal(), nullptr);
}

TEST(TreeMateTest, AnnouncesTheShortestMateOfEachListedPosition) {
  UniformEvaluator evaluator;
  for (const auto& [fen, moves] : ListedMates()) {
    TreeSearcher searcher(&evaluator, TreeSearchOptions{.batch_size = 4});
    const SearchResult result = SearchNodes(&searcher, PlayGame(fen, ""), kVisitsToProve[moves]);
    ASSERT_FALSE(result.progress.lines.empty()) << fen;
    const SearchLine& best = result.progress.lines.front();
    EXPECT_EQ(best.score.mate_in, moves) << fen;
    EXPECT_EQ(best.moves.size(), static_cast<size_t>(2 * moves - 1)) << fen;
    EXPECT_EQ(best.moves.front(), result.best_move) << fen;
  }
}

// Of the positions after the first moves of those mates, where the other side can only choose how
// long it takes.
TEST(TreeMateTest, AnnouncesToTheLosingSideHowLongItCanHoldOut) {
  UniformEvaluator evaluator;
  int lost = 0;
  for (const auto& [fen, moves] : ListedMates()) {
    if (moves == 1) continue;
    MateSearch mates;
    Game game = PlayGame(fen, "");
    mates.SetRoot(game);
    while (!mates.is_done()) mates.Run(1000);
    game.Make(mates.line().front());
    TreeSearcher searcher(&evaluator, TreeSearchOptions{.batch_size = 4});
    const SearchResult result = SearchNodes(&searcher, game, 20000);
    const SearchLine& best = result.progress.lines.front();
    if (!best.score.mate_in.has_value()) continue;
    ++lost;
    EXPECT_EQ(best.score.mate_in, -(moves - 1)) << fen;
    EXPECT_EQ(best.moves.size(), static_cast<size_t>(2 * moves - 2)) << fen;
    EXPECT_EQ(best.moves.front(), result.best_move) << fen;
    Position board = game.position();
    for (const Move move : best.moves) {
      ASSERT_TRUE(IsLegal(board, move)) << fen;
      board.Make(move);
    }
    EXPECT_FALSE(HasLegalMove(board)) << fen;
  }
  EXPECT_GT(lost, 100);
}

// Here the tree comes upon a longer mate first, after one of the moves at least.
TEST(TreeMateTest, KnowsOfEachMoveOfALostSideHowSoonItIsMated) {
  UniformEvaluator evaluator;
  for (const char* const fen : {"3kR2R1/9/8n/3n5/9/9/1C7/3K5/3C5/5N3 b - - 0 1",
                                "3R5/5P3/3k1c3/9/2c6/3r4C/3R2C2/3K5/4r4/7nn b - - 0 1",
                                "4n4/5C3/4k3R/2P2R3/3N5/9/9/1N7/9/5K3 b - - 0 1",
                                "3k5/1R3nN2/b7r/1cP6/9/6N2/9/Br1n5/2pK5/7R1 w - - 0 1",
                                "9/cP6P/3k5/p8/3r5/2p6/RC1r5/8c/5p3/5KC2 w - - 0 1",
                                "5k2N/3R3N1/7c1/9/1C4p2/2r1c3P/9/n4n3/9/3K5 b - - 0 1"}) {
    const Game game = PlayGame(fen, "");
    TreeSearch search(&evaluator, {.batch_size = 4});
    search.SetRoot(game);
    while (!search.is_decided() && search.RunBatch(1000) > 0) {
    }
    ASSERT_TRUE(search.MayHaveShorterMate()) << fen;
    int tree_plies = 0;
    for (const Edge& edge : search.RankedRootMoves()) tree_plies += edge.proof_plies();
    while (search.MayHaveShorterMate()) search.SeekShorterMate(1000);
    int plies = 0;
    int longest = 0;
    for (const Edge& edge : search.RankedRootMoves()) {
      Position after = game.position();
      after.Make(edge.move);
      EXPECT_EQ(edge.proof_plies(), 2 * MovesToMate(after, 3)) << fen;
      plies += edge.proof_plies();
      longest = std::max(longest, edge.proof_plies());
    }
    EXPECT_LT(plies, tree_plies) << fen;
    EXPECT_EQ(search.root_edge().proof_plies(), longest + 1) << fen;
    EXPECT_EQ(search.RankedRootMoves().front().proof_plies(), longest) << fen;
    // The line is as long, and ends in the mate.
    const std::vector<Move> line = search.LineFrom(search.RankedRootMoves().front());
    EXPECT_EQ(line.size(), static_cast<size_t>(longest)) << fen;
  }
}

// The mate is known, not what leads to it: whoever is to be mated has to find a move all the same.
TEST(TreeMateTest, TheSideThatIsMatedStillFindsAMove) {
  UniformEvaluator evaluator;
  int found = 0;
  for (const auto& [fen, moves] : ListedMates()) {
    if (moves == 1) continue;
    for (const bool advances : {true, false}) {
      // The mate is found when hardly a move has been looked at.
      TreeSearch search(&evaluator, {.mate_steps = 200});
      Game game = PlayGame(fen, "");
      search.SetRoot(game);
      while (!search.is_decided() && search.visits() < 200 && search.RunBatch(1) > 0) {
      }
      if (!search.is_decided()) continue;
      ++found;
      const Move mating = search.RankedRootMoves().front().move;
      game.Make(mating);
      if (advances) {
        search.Advance(mating);
      } else {
        search.SetRoot(game);
      }
      while (search.RankedRootMoves().empty() && search.RunBatch(1) > 0) {
      }
      ASSERT_FALSE(search.RankedRootMoves().empty()) << fen;
    }
  }
  EXPECT_GT(found, 100);
}

// Here the tree comes upon a mate in four first.
constexpr char kLongerMateFirst[] = "9/4a4/3k5/9/2p2c2c/9/7pR/pr7/9/4K4 b - - 0 1";

TEST(TreeMateTest, AWinThatTheTreeFindsFirstIsNotTheEndOfTheSearch) {
  UniformEvaluator evaluator;
  TreeSearch search(&evaluator, {.batch_size = 4});
  search.SetRoot(PlayGame(kLongerMateFirst, ""));
  while (!search.is_decided() && search.RunBatch(1000) > 0) {
  }
  ASSERT_TRUE(search.is_decided());
  ASSERT_GT(search.RankedRootMoves().front().proof_plies(), 5);
  while (search.MayHaveShorterMate()) search.SeekShorterMate(1000);
  const Edge best = search.RankedRootMoves().front();
  EXPECT_EQ(best.proof, Proof::kWin);
  EXPECT_EQ(best.proof_plies(), 5);
  EXPECT_EQ(search.LineFrom(best).size(), 5u);
  EXPECT_EQ(search.root_edge().proof_plies(), 6);
}

TEST(TreeMateTest, AClockDoesNotKeepTheSearchFromTheShortestMate) {
  UniformEvaluator evaluator;
  TreeSearcher searcher(&evaluator, TreeSearchOptions{.batch_size = 4});
  searcher.SetGame(PlayGame(kLongerMateFirst, ""));
  SearchLimits limits;
  limits.clock = Clock{.time_ms = 1000 * 3600};
  const SearchResult result = searcher.Search(limits, SearchSignal(), nullptr);
  EXPECT_EQ(result.progress.lines.front().score.mate_in, 3);
}

TEST(TreeMateTest, AMateWithAMoveThatIsNotAllowedIsNoneOfThisSearch) {
  UniformEvaluator evaluator;
  TreeSearcher searcher(&evaluator, TreeSearchOptions{});
  searcher.SetGame(PlayGame("3k5/2P6/9/9/9/9/9/9/R8/4K4 w", ""));
  SearchLimits limits;
  limits.nodes = 500;
  const SearchResult free = searcher.Search(limits, SearchSignal(), nullptr);
  ASSERT_EQ(free.progress.lines.front().score.mate_in, 1);
  Move another;
  MoveList moves;
  GenerateLegal(searcher.tree_search().game().position(), &moves);
  for (const Move move : moves) {
    Position after = searcher.tree_search().game().position();
    after.Make(move);
    if (HasLegalMove(after)) another = move;
  }
  limits.search_moves = {another};
  const SearchResult restricted = searcher.Search(limits, SearchSignal(), nullptr);
  EXPECT_EQ(restricted.best_move, another);
  EXPECT_NE(restricted.progress.lines.front().score.mate_in, 1);
  limits.search_moves.clear();
  EXPECT_EQ(searcher.Search(limits, SearchSignal(), nullptr).best_move, free.best_move);
}

TEST(TreeMateTest, VisitsAddUpWhenAMateIsFoundBesideTheTree) {
  UniformEvaluator evaluator;
  for (const int visits : {1, 100}) {
    TreeSearch search(&evaluator, {});
    search.SetRoot(PlayGame("3k5/2P6/9/9/9/9/9/9/R8/4K4 w", ""));
    while (search.visits() < visits && search.RunBatch(visits) > 0) {
    }
    ASSERT_TRUE(search.is_decided());
    uint32_t sum = 1;
    for (const Edge& edge : search.RankedRootMoves()) sum += edge.visits;
    EXPECT_EQ(sum, search.root_edge().visits);
    EXPECT_GT(search.RankedRootMoves().front().visits, 0u);
  }
}

TEST(TreeMateTest, APlanEndsWithTheMate) {
  UniformEvaluator evaluator;
  TreeSearch search(&evaluator, {});
  search.SetRoot(PlayGame("3k5/2P6/9/9/9/9/9/9/R8/4K4 w", ""));
  EvaluationRequest request;
  ASSERT_EQ(search.SelectLeaves({&request, 1}, 1), 1);
  evaluator.Evaluate({&request, 1});
  search.ApplyEvaluations({&request, 1});
  Random random(3);
  search.PlanGumbel(64, &random);
  EXPECT_EQ(search.SelectLeaves({&request, 1}, 1), 0);
  ASSERT_TRUE(search.is_decided());
  Position board = search.game().position();
  board.Make(search.GumbelChoice());
  EXPECT_FALSE(HasLegalMove(board));
}

// False mates by rule: loops that one side loses are no mates, wherever on its round the loop is.
TEST(TreeMateTest, AnnouncesOnlyRealMatesInLoops) {
  Random random(11, StreamId("false mates"));
  UniformEvaluator evaluator;
  int loops = 0;
  int mates = 0;
  while (loops < 20) {
    const auto loop = RandomLoop(random);
    if (!loop.has_value()) continue;
    ++loops;
    Game game(loop->start);
    for (const Move move : loop->moves) {
      game.Make(move);
      TreeSearcher searcher(&evaluator, TreeSearchOptions{.batch_size = 4});
      const SearchResult result = SearchNodes(&searcher, game, 2000);
      if (result.progress.lines.empty()) continue;
      const auto mate_in = result.progress.lines.front().score.mate_in;
      if (!mate_in.has_value() || *mate_in <= 0 || *mate_in > 2) continue;
      ++mates;
      EXPECT_EQ(MovesToMate(game.position(), *mate_in), *mate_in) << FormatFen(game.position());
    }
  }
  EXPECT_GT(mates, 3);
}

TEST(TreeMateTest, AnnouncesNoMateInTheSharedSearchCases) {
  const auto cases = SharedSearchCases();
  if (!cases.has_value()) GTEST_SKIP() << kNoSharedFiles;
  UniformEvaluator evaluator;
  for (const SearchCase& c : *cases) {
    TreeSearcher searcher(&evaluator, TreeSearchOptions{.batch_size = 4, .mate_steps = 100});
    const SearchResult result = SearchNodes(&searcher, PlayGame(c.fen, c.moves), 20000);
    EXPECT_FALSE(result.progress.lines.front().score.mate_in.has_value()) << c.id;
  }
}

}  // namespace
}  // namespace chuhe
