// Mates found, and none announced that is not there.
#include <string>
#include <string_view>

#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/search/alphabeta.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/loops.h"
#include "tests/engine/rules/play.h"
#include "tests/engine/search/listed_positions.h"
#include "tests/engine/search/mate_solver.h"

namespace chuhe {
namespace {

SearchResult SearchDepth(const Game& game, int depth) {
  AlphaBetaSearcher searcher({.hash_bytes = 1 << 20});
  searcher.SetGame(game);
  SearchLimits limits;
  limits.depth = depth;
  return searcher.Search(limits, SearchSignal(), nullptr);
}

struct MateCase {
  std::string_view fen;
  int moves;
};

constexpr MateCase kMates[] = {
    {"3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", 1},
    {"9/5k3/8b/4R4/1P7/9/9/B3KA3/4A4/9 w - - 0 1", 1},
    {"2bk5/4a4/8b/9/2p6/4p4/8c/9/1r7/4K4 b - - 0 1", 1},
    // Stalemate: the pawn takes d8 from the king, Red's king the middle file.
    {"3k5/9/9/3P5/9/9/9/9/9/4K4 w - - 0 1", 1},
    {"9/3k5/9/9/2P6/P8/9/B7B/1NR2K3/8p w - - 0 1", 2},
    {"5k3/9/9/7P1/9/8P/9/4K4/1c7/1R3A3 w - - 0 1", 2},
    {"4n1b2/3k5/9/2P6/9/6B2/6P2/9/4K4/5r2r b - - 0 1", 2},
    {"3k2b2/9/6r1n/1Pp1p4/1r7/8c/9/3A5/4K4/3A5 b - - 0 1", 2},
    {"9/4R4/4bk3/9/P8/9/2C6/B2A5/9/3AK4 w - - 0 1", 3},
    {"5a3/7r1/4k4/9/1P7/p6p1/9/4n4/2c5c/4K4 b - - 0 1", 3},
    {"9/9/3k5/1P6P/2b3N2/2P6/9/9/9/4K4 w - - 0 1", 3},
    {"9/4k4/9/9/1R7/P1B3P2/2P6/B8/4A4/4KA1N1 w - - 0 1", 3},
};

TEST(AlphaBetaMateTest, FindsMatesInOneToThree) {
  for (const MateCase& mate : kMates) {
    const Game game = PlayGame(mate.fen, "");
    ASSERT_EQ(MovesToMate(game.position(), mate.moves), mate.moves) << mate.fen;
    const SearchResult result = SearchDepth(game, 2 * mate.moves);
    EXPECT_EQ(result.progress.lines[0].score.mate_in, mate.moves) << mate.fen;
    // The line leads to the mate.
    Position board = game.position();
    for (const Move move : result.progress.lines[0].moves) board.Make(move);
    EXPECT_FALSE(HasLegalMove(board)) << mate.fen;
    // And so does playing on, one move nearer each time.
    Position next = game.position();
    next.Make(result.best_move);
    MoveList answers;
    GenerateLegal(next, &answers);
    for (const Move answer : answers) {
      const Undo undo = next.Make(answer);
      EXPECT_GT(MovesToMate(next, mate.moves - 1), 0) << mate.fen;
      next.Unmake(answer, undo);
    }
  }
}

TEST(AlphaBetaMateTest, CountsTheMovesUntilItIsMated) {
  // Red threatens Rb7-b9; whatever Black does, he is mated by the next move.
  const Game game = PlayGame("4k4/R8/1R7/9/9/9/9/9/9/3K5 b - - 0 1", "");
  const SearchResult result = SearchDepth(game, 4);
  EXPECT_EQ(result.progress.lines[0].score.mate_in, -1);
  EXPECT_LT(result.progress.lines[0].score.centipawns, 0);
}

TEST(AlphaBetaMateTest, HasNoMoveWhenMatedOrStalemated) {
  for (const std::string_view fen :
       {"1R1k5/R8/9/9/9/9/9/9/9/4K4 b - - 0 1", "3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 0 1"}) {
    const SearchResult result = SearchDepth(PlayGame(fen, ""), 3);
    EXPECT_FALSE(result.best_move);
    EXPECT_TRUE(result.progress.lines.empty());
  }
}

TEST(AlphaBetaMateTest, EndsWhenAMateCannotGetShorter) {
  AlphaBetaSearcher searcher({.hash_bytes = 1 << 20});
  searcher.SetGame(PlayGame(kMates[0].fen, ""));
  SearchLimits limits;
  limits.infinite = true;
  const SearchResult result = searcher.Search(limits, SearchSignal(), nullptr);
  EXPECT_EQ(result.progress.lines[0].score.mate_in, 1);
  EXPECT_LE(result.progress.lines[0].depth, 3);
}

// On random boards with few men the search and the solver agree about short mates, both ways.
TEST(AlphaBetaMateTest, AgreesWithTheSolverOnRandomBoards) {
  Random random(6, StreamId("mates"));
  int mates = 0;
  for (int i = 0; i < 300; ++i) {
    const Position position = RandomPlacement(random);
    if (!HasLegalMove(position)) continue;
    const Game game(position);
    const SearchResult result = SearchDepth(game, 4);
    const auto mate_in = result.progress.lines[0].score.mate_in;
    const int expected = MovesToMate(position, 2);
    if (expected > 0) {
      ++mates;
      EXPECT_EQ(mate_in, expected) << FormatFen(position);
    } else if (mate_in.has_value() && *mate_in > 0) {
      EXPECT_GT(*mate_in, 2) << FormatFen(position);
      if (*mate_in == 3) {
        EXPECT_EQ(MovesToMate(position, 3), 3) << FormatFen(position);
      }
    }
  }
  EXPECT_GT(mates, 20);
}

// A search from such a position must not announce a mate.
void ExpectNoMate(const Game& game, int depth, std::string_view name) {
  AlphaBetaSearcher searcher({.hash_bytes = 1 << 22});
  searcher.SetGame(game);
  SearchLimits limits;
  limits.depth = depth;
  limits.nodes = 300'000;
  limits.multipv = 3;
  searcher.Search(limits, SearchSignal(), [&](const SearchProgress& progress) {
    const Score& score = progress.lines[0].score;
    EXPECT_FALSE(score.mate_in.has_value())
        << name << " at depth " << progress.lines[0].depth << ": " << *score.mate_in;
  });
}

TEST(AlphaBetaMateTest, AnnouncesNoMateInTheSharedSearchCases) {
  const auto cases = SharedSearchCases();
  if (!cases.has_value()) GTEST_SKIP() << kNoSharedFiles;
  for (const SearchCase& c : *cases) ExpectNoMate(PlayGame(c.fen, c.moves), 12, c.id);
}

// Whether every move of the side to move, if it has any, leads to a mate by the other side in at
// most `moves` moves.
bool IsMatedWithin(const Position& position, int moves) {
  Position board = position;
  MoveList list;
  GenerateLegal(board, &list);
  for (const Move move : list) {
    const Undo undo = board.Make(move);
    const int needed = MovesToMate(board, moves);
    board.Unmake(move, undo);
    if (needed == 0) return false;
  }
  return true;
}

// Short mates that a search announces must be there on the board, without help from the rules of
// repetition. Returns how many were announced.
int ExpectOnlyRealMates(const Game& game, int depth) {
  AlphaBetaSearcher searcher({.hash_bytes = 1 << 18});
  searcher.SetGame(game);
  SearchLimits limits;
  limits.depth = depth;
  limits.nodes = 20'000;
  const SearchResult result = searcher.Search(limits, SearchSignal(), nullptr);
  if (result.progress.lines.empty()) return 0;
  const auto mate_in = result.progress.lines[0].score.mate_in;
  if (!mate_in.has_value()) return 0;
  const Position& position = game.position();
  if (*mate_in > 0 && *mate_in <= 3) {
    EXPECT_EQ(MovesToMate(position, *mate_in), *mate_in) << FormatFen(position);
  }
  if (*mate_in < 0 && *mate_in >= -2) {
    EXPECT_TRUE(IsMatedWithin(position, -*mate_in)) << FormatFen(position);
    EXPECT_FALSE(IsMatedWithin(position, -*mate_in - 1)) << FormatFen(position);
  }
  return 1;
}

// In parts, as each takes long under ThreadSanitizer.
class LoopMateTest : public ::testing::TestWithParam<int> {};

// Loops of checks and chases that one side loses by rule are no mates, wherever on its round the
// loop stands.
TEST_P(LoopMateTest, AnnouncesOnlyRealMates) {
  Random random(8, StreamId("false mates", static_cast<uint64_t>(GetParam())));
  int loops = 0;
  int mates = 0;
  while (loops < 15) {
    const auto loop = RandomLoop(random);
    if (!loop.has_value()) continue;
    ++loops;
    Game game(loop->start);
    for (size_t ply = 0; ply < loop->moves.size(); ++ply) {
      if (ply >= loop->moves.size() / 2 - 1) mates += ExpectOnlyRealMates(game, 5);
      game.Make(loop->moves[ply]);
    }
  }
  EXPECT_GT(mates, 3);
  EXPECT_LT(mates, 250);
}

INSTANTIATE_TEST_SUITE_P(Parts, LoopMateTest, ::testing::Range(0, 4));

}  // namespace
}  // namespace chuhe
