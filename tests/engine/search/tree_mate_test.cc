// Mates that the tree search announces: found, the shortest, and real.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/tree_searcher.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/loops.h"
#include "tests/engine/rules/play.h"
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
  std::ifstream file(CHUHE_TEST_DATA "/mates.tsv");
  std::string fen;
  std::string text;
  std::getline(file, fen);  // what it is
  std::getline(file, fen);  // the header
  UniformEvaluator evaluator;
  int rows = 0;
  for (; std::getline(file, fen, '\t') && std::getline(file, text); ++rows) {
    const int moves = std::stoi(text);
    TreeSearcher searcher(&evaluator, TreeSearchOptions{.batch_size = 4});
    const SearchResult result = SearchNodes(&searcher, PlayGame(fen, ""), kVisitsToProve[moves]);
    ASSERT_FALSE(result.progress.lines.empty()) << fen;
    const SearchLine& best = result.progress.lines.front();
    EXPECT_EQ(best.score.mate_in, moves) << fen;
    EXPECT_EQ(best.moves.size(), static_cast<size_t>(2 * moves - 1)) << fen;
    EXPECT_EQ(best.moves.front(), result.best_move) << fen;
  }
  EXPECT_GT(rows, 150);
}

// The mate is known, not what leads to it: whoever is to be mated has to find a move all the same.
TEST(TreeMateTest, TheSideThatIsMatedStillFindsAMove) {
  std::ifstream file(CHUHE_TEST_DATA "/mates.tsv");
  std::string fen;
  std::string text;
  std::getline(file, fen);
  std::getline(file, fen);
  UniformEvaluator evaluator;
  int found = 0;
  while (std::getline(file, fen, '\t') && std::getline(file, text)) {
    if (text == "1") continue;
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
  while (search.MayHaveShorterWin()) search.SeekShorterWin(1000);
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
  const char* const folder = std::getenv("CHUHE_SHARED");
  if (folder == nullptr) GTEST_SKIP() << "CHUHE_SHARED does not name the folder of shared files";
  std::ifstream file(std::string(folder) + "/cases/rules.tsv");
  ASSERT_TRUE(file);
  UniformEvaluator evaluator;
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("SEARCH-")) continue;
    std::istringstream fields(line);
    std::string id, rules, fen, moves;
    std::getline(fields, id, '\t');
    std::getline(fields, rules, '\t');
    std::getline(fields, fen, '\t');
    std::getline(fields, moves, '\t');
    ++rows;
    TreeSearcher searcher(&evaluator, TreeSearchOptions{.batch_size = 4, .mate_steps = 100});
    const SearchResult result = SearchNodes(&searcher, PlayGame(fen, moves), 20000);
    EXPECT_FALSE(result.progress.lines.front().score.mate_in.has_value()) << id;
  }
  EXPECT_GT(rows, 0);
}

}  // namespace
}  // namespace chuhe
