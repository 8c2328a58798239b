#include "engine/search/tree_search.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/eval/simple_evaluators.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/tree_searcher.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

SearchResult SearchFor(TreeSearcher* searcher, const Game& game, const SearchLimits& limits) {
  SearchSignal signal;
  searcher->SetGame(game);
  return searcher->Search(limits, signal, nullptr);
}

SearchResult SearchNodes(TreeSearcher* searcher, const Game& game, int64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  return SearchFor(searcher, game, limits);
}

void Visit(TreeSearch* search, int64_t visits) {
  const int64_t end = search->visits() + visits;
  while (search->visits() < end) {
    if (search->RunBatch(static_cast<int>(end - search->visits())) == 0) break;
  }
}

Game StartGame() { return Game(Position::Start()); }

TEST(TreeSearcherTest, WhatIsShownLastIsWhatTheMoveRestsOn) {
  HashEvaluator evaluator;
  TreeSearcher searcher(&evaluator, {.batch_size = 4});
  searcher.SetGame(StartGame());
  SearchLimits limits;
  limits.nodes = 1001;
  SearchProgress shown;
  int times = 0;
  const SearchResult result =
      searcher.Search(limits, SearchSignal(), [&](const SearchProgress& progress) {
        shown = progress;
        ++times;
      });
  // Once as soon as there is a move, and once at the end.
  EXPECT_GE(times, 2);
  EXPECT_EQ(shown.nodes, result.progress.nodes);
  ASSERT_FALSE(shown.lines.empty());
  EXPECT_EQ(shown.lines.front().moves, result.progress.lines.front().moves);
  EXPECT_EQ(shown.lines.front().moves.front(), result.best_move);
}

struct MateCase {
  const char* fen;
  int moves;
};

class MateTest : public ::testing::TestWithParam<MateCase> {};

// Visits within which a mate in one, two, three is proven and announced without any knowledge.
constexpr int kVisitsToProve[] = {0, 500, 20000, 400000};

TEST_P(MateTest, IsProvenWithoutAnyKnowledge) {
  UniformEvaluator evaluator;
  TreeSearcher searcher(&evaluator, {.batch_size = 4});
  Game game = PlayGame(GetParam().fen, "");
  int moves = GetParam().moves;
  // Played out, the mate comes one move nearer with each move.
  for (; moves > 0; --moves) {
    const SearchResult result = SearchNodes(&searcher, game, kVisitsToProve[moves]);
    ASSERT_FALSE(result.progress.lines.empty());
    const auto mate = result.progress.lines.front().score.mate_in;
    ASSERT_TRUE(mate.has_value()) << moves << " moves before mate";
    EXPECT_LE(*mate, moves);
    EXPECT_GT(*mate, 0);
    game.Make(result.best_move);
    if (!HasLegalMove(game.position())) break;
    const SearchResult answer = SearchNodes(&searcher, game, kVisitsToProve[moves]);
    ASSERT_TRUE(answer.best_move);
    game.Make(answer.best_move);
  }
  EXPECT_FALSE(HasLegalMove(game.position()));
}

INSTANTIATE_TEST_SUITE_P(
    Mates, MateTest,
    ::testing::Values(MateCase{"9/n3Rc3/5k1PR/9/6r2/7c1/1r7/3A1p2N/4K3p/9 w", 1},
                      MateCase{"9/4k4/9/9/5P3/C5B2/8C/3KB4/5rr1R/p8 b", 1},
                      MateCase{"4k4/9/7N1/9/8p/7N1/8P/2cKB4/4p4/2rC5 b", 1},
                      MateCase{"c8/n1CP3P1/4k2P1/1n7/4p2N1/2B6/4N4/9/3K2cp1/9 w", 2},
                      MateCase{"4k4/8P/R3r3C/1rN6/9/5c3/9/4K4/n1R1C4/9 w", 2},
                      MateCase{"2c3P2/9/1n2k4/7N1/9/8r/1p7/9/2N1r1C2/1R2CK3 b", 2},
                      MateCase{"2b2C3/4kc3/9/9/2P6/2n5P/pn7/1C7/3K5/3p5 b", 3},
                      MateCase{"9/4k4/R8/7N1/3C5/5n3/C8/5K1Rr/9/n8 b", 3},
                      MateCase{"5k3/2c3R2/7n1/9/9/9/9/1R1r5/9/4K4 w", 3}));

TEST(TreeSearchTest, StalemateWins) {
  UniformEvaluator evaluator;
  TreeSearcher searcher(&evaluator, TreeSearchOptions{});
  const SearchResult result =
      SearchNodes(&searcher, PlayGame("3k5/2P6/9/9/9/9/9/9/R8/4K4 w", ""), 2000);
  EXPECT_EQ(result.progress.lines.front().score.mate_in, 1);
}

TEST(TreeSearchTest, APositionWithoutMovesHasNoBestMove) {
  UniformEvaluator evaluator;
  TreeSearcher searcher(&evaluator, TreeSearchOptions{});
  const SearchResult result =
      SearchNodes(&searcher, PlayGame("3k5/9/9/9/3R5/9/9/9/9/4K4 b", ""), 100);
  EXPECT_FALSE(result.best_move);
}

// Red checks for ever with the rook and would lose by it; without the checks Black mates.
TEST(TreeSearchTest, AThirdOccurrenceIsJudgedAndTheOffenderLoses) {
  UniformEvaluator evaluator;
  TreeSearch search(&evaluator, {});
  // One ply before the third occurrence: Black's king can only step back to it.
  const Game game = PlayGame("4k4/9/5R3/9/9/4P4/9/9/9/3K5 w", "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7");
  search.SetRoot(game);
  Visit(&search, 500);
  const Edge best = search.RankedRootMoves().front();
  EXPECT_EQ(FormatUci(best.move), "f9e9");
  EXPECT_EQ(best.proof, Proof::kWin);
  EXPECT_NE(best.proof_bits & Edge::kByRule, 0);
}

TEST(TreeSearchTest, AWinByRuleIsNoMate) {
  UniformEvaluator evaluator;
  TreeSearcher searcher(&evaluator, TreeSearchOptions{});
  const Game game = PlayGame("4k4/9/5R3/9/9/4P4/9/9/9/3K5 w", "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7");
  const SearchResult result = SearchNodes(&searcher, game, 500);
  EXPECT_EQ(FormatUci(result.best_move), "f9e9");
  EXPECT_FALSE(result.progress.lines.front().score.mate_in.has_value());
  EXPECT_GT(result.progress.lines.front().score.centipawns, 1000);
}

TEST(TreeSearchTest, DoesNotWalkIntoTheThirdOccurrenceThatLoses) {
  UniformEvaluator evaluator;
  TreeSearcher searcher(&evaluator, TreeSearchOptions{});
  // Black may not be checked a third time: every other move of Red is better than f7e7.
  Game game = PlayGame("4k4/9/5R3/9/9/4P4/9/9/9/3K5 w", "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9");
  const SearchResult result = SearchNodes(&searcher, game, 3000);
  EXPECT_NE(FormatUci(result.best_move), "e7f7");
}

TEST(TreeSearchTest, NoMateIsAnnouncedWhereOnlyRulesCouldGiveIt) {
  std::vector<std::string> fens = {"5R3/4k4/2Pa2r2/9/9/9/9/4B4/5K2c/n8 w",
                                   "R1nk1ab2/4a4/4b4/1C7/p8/2P1P3P/9/4B4/9/3rKAB2 w - - 3 3",
                                   "3k5/9/9/6c2/9/9/9/6R2/9/5K3 b"};
  for (const std::string& fen : fens) {
    HashEvaluator evaluator;
    TreeSearcher searcher(&evaluator, {.batch_size = 8});
    const SearchResult result = SearchNodes(&searcher, PlayGame(fen, ""), 30000);
    EXPECT_FALSE(result.progress.lines.front().score.mate_in.has_value()) << fen;
  }
}

TEST(TreeSearchTest, TheSameSeedlessSearchGivesTheSameTree) {
  const auto fingerprint = [](int batch) {
    HashEvaluator evaluator;
    TreeSearch search(&evaluator, {.batch_size = batch});
    search.SetRoot(StartGame());
    Visit(&search, 20000);
    std::ostringstream text;
    for (const Edge& edge : search.RankedRootMoves()) {
      text << edge.move.bits() << ' ' << edge.visits << ' ' << edge.value << '\n';
    }
    return text.str() + std::to_string(search.tree().used_bytes());
  };
  EXPECT_EQ(fingerprint(1), fingerprint(1));
  EXPECT_EQ(fingerprint(16), fingerprint(16));
}

TEST(TreeSearchTest, VisitsAreCountedExactlyAndMatchTheRoot) {
  for (const int batch : {1, 7, 32}) {
    HashEvaluator evaluator;
    TreeSearch search(&evaluator, {.batch_size = batch});
    search.SetRoot(StartGame());
    Visit(&search, 1000);
    EXPECT_EQ(search.visits(), 1000);
    uint32_t sum = 1;  // the root's own evaluation
    for (const Edge& edge : search.RankedRootMoves()) {
      sum += edge.visits;
      EXPECT_EQ(edge.in_flight, 0);
      EXPECT_LE(std::abs(edge.value), 1.0f);
    }
    EXPECT_EQ(sum, search.root_edge().visits);
  }
}

TEST(TreeSearchTest, KeepsItsMemoryLimitWhileSearchingTenTimesAsMuch) {
  constexpr size_t kLimit = size_t{4} << 20;
  HashEvaluator evaluator;
  TreeSearch search(&evaluator, {.batch_size = 8, .max_tree_bytes = kLimit});
  search.SetRoot(StartGame());
  Visit(&search, 300000);  // about 40 MiB of nodes
  EXPECT_EQ(search.visits(), 300000);
  EXPECT_LE(search.tree().used_bytes(), kLimit);
  EXPECT_GT(search.tree().used_bytes(), kLimit / 2);
  uint32_t sum = 1;
  for (const Edge& edge : search.RankedRootMoves()) sum += edge.visits;
  EXPECT_EQ(sum, search.root_edge().visits);
}

TEST(TreeSearchTest, KeepsTheTreeWhenTheGameGoesOnAndWhenItStepsBack) {
  HashEvaluator evaluator;
  TreeSearch search(&evaluator, {});
  Game game = StartGame();
  search.SetRoot(game);
  Visit(&search, 5000);
  const uint32_t at_start = search.root_edge().visits;
  const Edge best = search.RankedRootMoves().front();
  game.Make(best.move);
  search.SetRoot(game);
  EXPECT_EQ(search.root_edge().visits, best.visits);
  Visit(&search, 1000);
  const uint32_t after = search.root_edge().visits;
  game.Unmake();
  search.SetRoot(game);
  EXPECT_EQ(search.root_edge().visits, at_start);
  EXPECT_EQ(search.RankedRootMoves().front().visits, after);
}

TEST(TreeSearchTest, KeepsTheTreeWhenAGuiBeginsTheGameAtTheLastCapture) {
  HashEvaluator evaluator;
  TreeSearch search(&evaluator, {});
  Game game = PlayGame(kStartFen, "h2e2 h9g7 e2e6");  // the last move takes a pawn
  search.SetRoot(game);
  Visit(&search, 3000);
  const Edge best = search.RankedRootMoves().front();
  Game fresh(game.position());
  fresh.Make(best.move);
  search.SetRoot(fresh);
  EXPECT_EQ(search.root_edge().visits, best.visits);
}

TEST(TreeSearchTest, AnotherHistoryIsAnotherTree) {
  HashEvaluator evaluator;
  TreeSearch search(&evaluator, {});
  search.SetRoot(PlayGame(kStartFen, "h2e2 h9g7"));
  Visit(&search, 100);
  // The same position by another order of moves: its repetitions are not the same.
  search.SetRoot(PlayGame(kStartFen, "h0g2 h9g7 g2h0 g7h9 h2e2 h9g7"));
  EXPECT_EQ(search.root_edge().visits, 0u);
}

TEST(TreeSearcherTest, PlaysOnlyAllowedMoves) {
  HashEvaluator evaluator;
  TreeSearcher searcher(&evaluator, TreeSearchOptions{});
  SearchLimits limits;
  limits.nodes = 500;
  const Move a = *ParseUci("a0a1");
  const Move b = *ParseUci("i0i2");
  limits.search_moves = {a, b};
  limits.multipv = 5;
  const SearchResult result = SearchFor(&searcher, StartGame(), limits);
  ASSERT_EQ(result.progress.lines.size(), 2u);
  for (const SearchLine& line : result.progress.lines) {
    EXPECT_TRUE(line.moves.front() == a || line.moves.front() == b);
  }
  limits.banned_moves = {a, b};
  EXPECT_FALSE(SearchFor(&searcher, StartGame(), limits).best_move);
  limits.search_moves.clear();
  limits.banned_moves = {result.best_move};
  EXPECT_NE(SearchFor(&searcher, StartGame(), limits).best_move, result.best_move);
}

TEST(TreeSearcherTest, LinesAreLegalDistinctAndInOrder) {
  HashEvaluator evaluator;
  TreeSearcher searcher(&evaluator, {.batch_size = 16});
  SearchLimits limits;
  limits.nodes = 20000;
  limits.multipv = 4;
  const SearchResult result = SearchFor(&searcher, StartGame(), limits);
  ASSERT_EQ(result.progress.lines.size(), 4u);
  std::map<uint16_t, int> first_moves;
  for (const SearchLine& line : result.progress.lines) {
    ++first_moves[line.moves.front().bits()];
    Game game = StartGame();
    for (const Move move : line.moves) {
      ASSERT_TRUE(IsLegal(game.position(), move));
      game.Make(move);
    }
    ASSERT_TRUE(line.wdl.has_value());
    EXPECT_EQ((*line.wdl)[0] + (*line.wdl)[1] + (*line.wdl)[2], 1000);
  }
  EXPECT_EQ(first_moves.size(), 4u);
  EXPECT_EQ(result.best_move, result.progress.lines.front().moves.front());
}

TEST(TreeSearcherTest, AStoppedSearchStillHasAMove) {
  HashEvaluator evaluator;
  TreeSearcher searcher(&evaluator, {.batch_size = 8});
  SearchSignal signal;
  signal.Stop();
  SearchLimits limits;
  limits.infinite = true;
  searcher.SetGame(StartGame());
  const SearchResult result = searcher.Search(limits, signal, nullptr);
  EXPECT_TRUE(IsLegal(Position::Start(), result.best_move));
}

TEST(TreeSearcherTest, CentipawnsRiseWithTheValue) {
  EXPECT_EQ(CentipawnsOfValue(0), 0);
  EXPECT_EQ(CentipawnsOfValue(-0.5f), -CentipawnsOfValue(0.5f));
  EXPECT_GT(CentipawnsOfValue(0.5f), 80);
  EXPECT_GT(CentipawnsOfValue(1), 10000);
}

}  // namespace
}  // namespace chuhe
