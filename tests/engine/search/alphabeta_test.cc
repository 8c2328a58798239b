#include "engine/search/alphabeta.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

constexpr std::string_view kMiddlegame =
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1";

SearchLimits Depth(int depth) {
  SearchLimits limits;
  limits.depth = depth;
  return limits;
}

SearchLimits Nodes(int64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  return limits;
}

std::string TextOf(const SearchResult& result) {
  std::string text = FormatUci(result.best_move) + " " + FormatUci(result.ponder_move) + " " +
                     std::to_string(result.progress.nodes);
  for (const SearchLine& line : result.progress.lines) {
    text += " | " + std::to_string(line.depth) + "/" + std::to_string(line.selective_depth) + " " +
            std::to_string(line.score.centipawns);
    for (const Move move : line.moves) text += " " + FormatUci(move);
  }
  return text;
}

void ExpectLegalLine(const Position& start, const SearchLine& line) {
  ASSERT_FALSE(line.moves.empty());
  Position board = start;
  for (const Move move : line.moves) {
    ASSERT_TRUE(IsLegal(board, move)) << FormatUci(move) << " in " << FormatFen(board);
    board.Make(move);
  }
}

class AlphaBetaTest : public testing::Test {
 protected:
  SearchResult Search(const SearchLimits& limits, std::string_view fen = kMiddlegame) {
    return SearchGame(PlayGame(fen, ""), limits);
  }
  SearchResult SearchGame(const Game& game, const SearchLimits& limits) {
    searcher_.SetGame(game);
    return searcher_.Search(limits, signal_,
                            [this](const SearchProgress& progress) { shown_.push_back(progress); });
  }

  AlphaBetaSearcher searcher_{{.hash_bytes = 1 << 22}};
  SearchSignal signal_;
  std::vector<SearchProgress> shown_;
};

TEST_F(AlphaBetaTest, ShowsEveryIterationWithALegalLine) {
  const SearchResult result = Search(Depth(6));
  ASSERT_EQ(shown_.size(), 6U);
  const Position start = PlayGame(kMiddlegame, "").position();
  int64_t nodes = 0;
  for (size_t i = 0; i < shown_.size(); ++i) {
    ASSERT_EQ(shown_[i].lines.size(), 1U);
    const SearchLine& line = shown_[i].lines[0];
    EXPECT_EQ(line.depth, static_cast<int>(i) + 1);
    EXPECT_GE(line.selective_depth, line.depth);
    EXPECT_GT(shown_[i].nodes, nodes);
    nodes = shown_[i].nodes;
    ExpectLegalLine(start, line);
  }
  EXPECT_EQ(result.best_move, shown_.back().lines[0].moves[0]);
  EXPECT_EQ(result.ponder_move, shown_.back().lines[0].moves[1]);
}

TEST_F(AlphaBetaTest, ShowsLegalLinesInRandomGames) {
  Random random(3, StreamId("lines"));
  Game game(Position::Start());
  for (int ply = 0; ply < 120; ++ply) {
    MoveList list;
    GenerateLegal(game.position(), &list);
    if (list.size == 0) break;
    game.Make(list[static_cast<int>(random.Below(static_cast<uint64_t>(list.size)))]);
    const SearchResult result = SearchGame(game, Depth(3));
    for (const SearchLine& line : result.progress.lines) ExpectLegalLine(game.position(), line);
  }
}

TEST_F(AlphaBetaTest, TakesWhatHangs) {
  // The rook on a5 takes the cannon, nobody takes back.
  const SearchResult result = Search(Depth(2), "3akab2/9/9/9/c4R3/9/9/9/9/3K1AB2 w - - 0 1");
  EXPECT_EQ(FormatUci(result.best_move), "f5a5");
}

TEST_F(AlphaBetaTest, DoesNotTakeWhatIsProtected) {
  // A rook for a pawn would be a bad bargain even at depth 1.
  const SearchResult result =
      Search(Depth(1), "2bakab2/9/2n6/p3p4/9/2B6/P3R4/4B4/9/r2AKA3 w - - 0 1");
  EXPECT_NE(FormatUci(result.best_move), "e3e6");
}

TEST_F(AlphaBetaTest, NeverVisitsMoreNodesThanAllowed) {
  for (const int64_t nodes : {1, 2, 10, 100, 1000, 54321}) {
    searcher_.Clear();
    const SearchResult result = Search(Nodes(nodes));
    EXPECT_EQ(result.progress.nodes, nodes);
    EXPECT_TRUE(IsLegal(PlayGame(kMiddlegame, "").position(), result.best_move));
    ExpectLegalLine(PlayGame(kMiddlegame, "").position(), result.progress.lines[0]);
  }
}

TEST_F(AlphaBetaTest, MovesLegallyWhenStoppedBeforeItBegins) {
  signal_.Stop();
  SearchLimits limits;
  limits.infinite = true;
  const SearchResult result = Search(limits);
  EXPECT_TRUE(IsLegal(PlayGame(kMiddlegame, "").position(), result.best_move));
  EXPECT_EQ(result.progress.lines[0].depth, 1);
}

TEST_F(AlphaBetaTest, MovesAtOnceWithAnEmptyClock) {
  for (const int64_t time_ms : {-100, 0, 1}) {
    SearchLimits limits;
    limits.clock = Clock{time_ms, 0, 0};
    const SearchResult result = Search(limits);
    EXPECT_TRUE(result.best_move);
    EXPECT_EQ(result.progress.lines[0].depth, 1);
  }
}

TEST_F(AlphaBetaTest, StopsAtTheSignalInTheMiddleOfASearch) {
  searcher_.SetGame(PlayGame(kMiddlegame, ""));
  SearchLimits limits;
  limits.infinite = true;
  int64_t nodes_at_stop = 0;
  const SearchResult result =
      searcher_.Search(limits, signal_, [&](const SearchProgress& progress) {
        if (progress.lines[0].depth < 4) return;
        nodes_at_stop = progress.nodes;
        signal_.Stop();
      });
  EXPECT_GT(nodes_at_stop, 0);
  EXPECT_LE(result.progress.nodes, nodes_at_stop + 128);
  EXPECT_EQ(result.progress.lines[0].depth, 4);
}

TEST_F(AlphaBetaTest, StopsWhenTheTimeOfItsClockIsUp) {
  // A millisecond passes whenever the time is asked for.
  int64_t now_ms = 0;
  searcher_.set_now([&now_ms] { return ++now_ms; });
  SearchLimits limits;
  limits.movetime_ms = 1000;
  limits.move_overhead_ms = 0;
  const SearchResult result = Search(limits);
  EXPECT_TRUE(result.best_move);
  EXPECT_NEAR(static_cast<double>(result.progress.time_ms), 1000, 3);
}

TEST_F(AlphaBetaTest, PondersUntilTheHitWhateverTheClock) {
  constexpr int64_t kHitMs = 100'000;
  int64_t now_ms = 0;
  searcher_.set_now([&now_ms] { return ++now_ms; });
  SearchLimits limits;
  limits.clock = Clock{1000, 0, 0};
  limits.ponder = true;
  searcher_.SetGame(PlayGame(kMiddlegame, ""));
  const SearchResult result =
      searcher_.Search(limits, signal_, [&](const SearchProgress& progress) {
        if (progress.lines[0].depth == 3) now_ms = kHitMs - 1000;
        if (progress.lines[0].depth != 5) return;
        now_ms = kHitMs;
        signal_.PonderHit();
      });
  EXPECT_GE(result.progress.lines[0].depth, 5);
  EXPECT_GT(result.progress.time_ms, kHitMs);
  EXPECT_LE(result.progress.time_ms, kHitMs + BudgetFor(limits).maximum_ms + 5);
}

TEST_F(AlphaBetaTest, LooksNoDeeperThanItsStrengthAllows) {
  AlphaBetaSearcher weak({.depth = 2, .hash_bytes = 1 << 16});
  weak.SetGame(PlayGame(kMiddlegame, ""));
  EXPECT_EQ(weak.Search(Depth(6), signal_, nullptr).progress.lines[0].depth, 2);
  EXPECT_EQ(weak.Search({}, signal_, nullptr).progress.lines[0].depth, 2);
  EXPECT_EQ(weak.Search(Depth(1), signal_, nullptr).progress.lines[0].depth, 1);
}

TEST_F(AlphaBetaTest, GivesTheSameTreeAgain) {
  SearchLimits limits = Nodes(40'000);
  limits.multipv = 2;
  std::set<std::string> texts;
  for (int i = 0; i < 3; ++i) {
    AlphaBetaSearcher searcher({.hash_bytes = 1 << 20});
    searcher.SetGame(PlayGame(kMiddlegame, ""));
    std::string text = TextOf(searcher.Search(limits, signal_, nullptr));
    text += TextOf(searcher.Search(Depth(5), signal_, nullptr));
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), 1U);
  const std::string before = TextOf(Search(limits));
  Search(Depth(4), kStartFen);
  searcher_.Clear();
  EXPECT_EQ(TextOf(Search(limits)), before);
}

TEST_F(AlphaBetaTest, ShowsDistinctLinesBestFirst) {
  SearchLimits limits = Depth(5);
  limits.multipv = 4;
  Search(limits);
  ASSERT_FALSE(shown_.empty());
  for (const SearchProgress& progress : shown_) {
    ASSERT_EQ(progress.lines.size(), 4U);
    std::set<uint16_t> first_moves;
    for (size_t i = 0; i < 4; ++i) {
      first_moves.insert(progress.lines[i].moves[0].bits());
      ExpectLegalLine(PlayGame(kMiddlegame, "").position(), progress.lines[i]);
      if (i > 0) {
        EXPECT_GE(progress.lines[i - 1].score.centipawns, progress.lines[i].score.centipawns);
      }
    }
    EXPECT_EQ(first_moves.size(), 4U);
  }
}

TEST_F(AlphaBetaTest, KeepsLinesInOrderWhenItIsCutShort) {
  for (int64_t nodes = 200; nodes < 20'000; nodes = nodes * 3 / 2) {
    SearchLimits limits = Nodes(nodes);
    limits.multipv = 3;
    const SearchResult result = Search(limits);
    ASSERT_EQ(result.progress.lines.size(), 3U);
    EXPECT_EQ(result.best_move, result.progress.lines[0].moves[0]);
    if (result.progress.lines[0].depth < 2) continue;
    for (size_t i = 1; i < 3; ++i) {
      EXPECT_GE(result.progress.lines[i - 1].score.centipawns,
                result.progress.lines[i].score.centipawns)
          << nodes;
    }
  }
}

TEST_F(AlphaBetaTest, ShowsAsManyLinesAsThereAreMoves) {
  SearchLimits limits = Depth(3);
  limits.multipv = 500;
  MoveList list;
  GenerateLegal(PlayGame(kMiddlegame, "").position(), &list);
  EXPECT_EQ(Search(limits).progress.lines.size(), static_cast<size_t>(list.size));
}

TEST_F(AlphaBetaTest, PlaysOnlyMovesOfTheListAndNoneThatIsBanned) {
  SearchLimits limits = Depth(3);
  limits.search_moves = {*ParseUci("a0a1"), *ParseUci("a3a4")};
  EXPECT_EQ(limits.search_moves[0] == Search(limits).best_move ||
                limits.search_moves[1] == Search(limits).best_move,
            true);
  limits.banned_moves = {Search(limits).best_move};
  const Move other = limits.banned_moves[0] == limits.search_moves[0] ? limits.search_moves[1]
                                                                      : limits.search_moves[0];
  EXPECT_EQ(Search(limits).best_move, other);
  SearchLimits banned = Depth(3);
  banned.banned_moves = {Search(banned).best_move};
  EXPECT_NE(Search(banned).best_move, banned.banned_moves[0]);
}

TEST_F(AlphaBetaTest, HasNoMoveWhenAllAreBanned) {
  SearchLimits limits = Depth(3);
  MoveList list;
  GenerateLegal(PlayGame(kMiddlegame, "").position(), &list);
  limits.banned_moves.assign(list.begin(), list.end());
  EXPECT_FALSE(Search(limits).best_move);
}

TEST_F(AlphaBetaTest, MovesAtOnceWhenThereIsOneMoveAndAClock) {
  SearchLimits limits;
  limits.clock = Clock{3'600'000, 0, 0};
  limits.search_moves = {*ParseUci("a0a1")};
  EXPECT_EQ(Search(limits).progress.lines[0].depth, 1);
}

TEST_F(AlphaBetaTest, AnswersForAGameRegardlessOfWhatItSearchedBefore) {
  const Game game = PlayGame(kMiddlegame, "");
  const Move move = searcher_.BestMove(game, 4);
  EXPECT_TRUE(IsLegal(game.position(), move));
  Search(Depth(5), kStartFen);
  EXPECT_EQ(searcher_.BestMove(game, 4), move);
  EXPECT_FALSE(searcher_.BestMove(PlayGame("1R1k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1", ""), 4));
}

TEST_F(AlphaBetaTest, SurvivesALongSearchOfATinyBoard) {
  SearchLimits limits = Nodes(300'000);
  limits.infinite = true;
  const SearchResult result = Search(limits, "3k5/9/9/9/4p4/4P4/9/9/9/5K3 w - - 0 1");
  EXPECT_TRUE(result.best_move);
}

}  // namespace
}  // namespace chuhe
