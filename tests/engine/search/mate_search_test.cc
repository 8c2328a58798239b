#include "engine/search/mate_search.h"

#include <limits>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/attacks.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/search/king_points.h"
#include "engine/search/stalemate_guard.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/loops.h"
#include "tests/engine/rules/play.h"
#include "tests/engine/search/listed_positions.h"
#include "tests/engine/search/mate_solver.h"

namespace chuhe {
namespace {

// Until there is no mate in so many moves, or one is found; it may be longer.
void RunTo(int moves, MateSearch* search, int64_t steps_at_once = 1000) {
  while (!search->is_done() && search->excluded() < moves) search->Run(steps_at_once);
}

int MateIn(const Game& game, int most) {
  MateSearch search;
  search.SetRoot(game);
  RunTo(most, &search);
  return search.mate_in() <= most ? search.mate_in() : 0;
}

void ExpectLineMates(const Game& game, const MateSearch& search) {
  EXPECT_EQ(search.line().size(), static_cast<size_t>(2 * search.mate_in() - 1));
  Position board = game.position();
  for (const Move move : search.line()) {
    ASSERT_TRUE(IsLegal(board, move)) << FormatFen(game.position());
    board.Make(move);
  }
  EXPECT_FALSE(HasLegalMove(board)) << FormatFen(game.position());
}

TEST(MateSearchTest, FindsTheShortestMateOfEachListedPosition) {
  for (const auto& [fen, moves] : ListedMates()) {
    const Game game = PlayGame(fen, "");
    MateSearch search;
    search.SetRoot(game);
    RunTo(3, &search);
    EXPECT_EQ(search.mate_in(), moves) << fen;
    ExpectLineMates(game, search);
  }
}

TEST(MateSearchTest, AgreesWithTryingEverythingOnRandomBoards) {
  Random random(7, StreamId("mates"));
  int mates = 0;
  for (int i = 0; i < 500; ++i) {
    const Position position = RandomPlacement(random);
    const Game game(position);
    if (!HasLegalMove(position) || game.Adjudicate().outcome != Outcome::kUndecided) continue;
    const int expected = MovesToMate(position, 2);
    mates += expected > 0 ? 1 : 0;
    EXPECT_EQ(MateIn(game, 2), expected) << FormatFen(position);
  }
  EXPECT_GT(mates, 25);
}

TEST(MateSearchTest, StopsAndGoesOnWithTheSameResult) {
  const Game game = PlayGame("C4k3/9/P2P4r/P8/2b4Pr/2P6/9/9/1p7/4K4 b", "");
  MateSearch at_once;
  at_once.SetRoot(game);
  at_once.Run(std::numeric_limits<int>::max());
  MateSearch in_steps;
  in_steps.SetRoot(game);
  RunTo(3, &in_steps, /*steps_at_once=*/1);
  EXPECT_EQ(in_steps.mate_in(), 3);
  EXPECT_EQ(in_steps.line(), at_once.line());
  EXPECT_EQ(in_steps.steps(), at_once.steps());
}

TEST(MateSearchTest, RunsForAboutAsManySteps) {
  MateSearch search;
  search.SetRoot(Game(Position::Start()));
  search.Run(10'000);
  EXPECT_GE(search.steps(), 10'000);
  EXPECT_LE(search.steps(), 10'000 + 2 * kMaxMoves);
  EXPECT_GE(search.excluded(), 2);
}

TEST(MateSearchTest, AfterAMoveAndItsReplyTheMateIsOneMoveNearer) {
  const char* const fen = "P8/1C1k4n/9/1P7/2b1P3r/8r/4N4/9/5K2C/9 b";
  Game game = PlayGame(fen, "");
  MateSearch search;
  search.SetRoot(game);
  RunTo(3, &search);
  ASSERT_EQ(search.mate_in(), 3);
  const std::vector<Move> line = search.line();
  game.Make(line[0]);
  game.Make(line[1]);
  search.SetRoot(game);
  RunTo(2, &search);
  EXPECT_EQ(search.mate_in(), 2);
  ExpectLineMates(game, search);
}

TEST(MateSearchTest, TakesOnlyAllowedMovesAtTheRoot) {
  const Game game = PlayGame("3k5/2P6/9/9/9/9/9/9/R8/4K4 w", "");
  MateSearch search;
  search.SetRoot(game);
  RunTo(1, &search);
  ASSERT_EQ(search.mate_in(), 1);
  std::vector<Move> others;
  MoveList moves;
  GenerateLegal(game.position(), &moves);
  for (const Move move : moves) {
    Position after = game.position();
    after.Make(move);
    if (HasLegalMove(after)) others.push_back(move);
  }
  ASSERT_LT(static_cast<int>(others.size()), moves.size);
  search.SetRoot(game, others);
  RunTo(2, &search);
  EXPECT_NE(search.mate_in(), 1);
  // What held for those does not hold for all.
  search.SetRoot(game);
  RunTo(1, &search);
  EXPECT_EQ(search.mate_in(), 1);
}

TEST(MateSearchTest, LooksForNoMateBehindTheLimitWithoutCapture) {
  const std::string fen = "5k3/2c3R2/7n1/9/9/9/9/1R1r5/9/4K4 w - - ";
  const int limit = NoCaptureLimit(RuleSet::kComputer);
  const auto game_at = [&](int plies) {
    return Game(ParseFen(fen)->position, {.no_capture_plies = plies});
  };
  ASSERT_EQ(MateIn(game_at(0), 3), 3);
  // The mate is made by the fifth ply; after the fourth there are as many as these.
  EXPECT_EQ(MateIn(game_at(limit - 6), 3), 3);
  MateSearch search;
  search.SetRoot(game_at(limit - 5));
  search.Run(std::numeric_limits<int>::max());
  EXPECT_TRUE(search.is_done());
  EXPECT_EQ(search.mate_in(), 0);
  EXPECT_EQ(search.excluded(), 2);
}

TEST(MateSearchTest, APositionThatWouldBeJudgedIsAnEscape) {
  const std::string fen = "4k4/9/R8/1R7/9/9/9/9/9/3K5 w";
  MateSearch search;
  search.SetRoot(PlayGame(fen, ""));
  RunTo(2, &search);
  ASSERT_EQ(search.mate_in(), 2);
  ASSERT_EQ(FormatUci(search.line().front()), "b6b9");
  // The position after that move has been there twice: the third time it is judged.
  const std::string loop = "b6b9 e9e8 b9b6 e8e9 ";
  const Game game = PlayGame(fen, loop + loop);
  search.SetRoot(game);
  RunTo(2, &search);
  ASSERT_EQ(search.mate_in(), 2);
  EXPECT_NE(FormatUci(search.line().front()), "b6b9");
  // Where it is the only way there is no mate, and what the judge did away with comes back.
  search.SetRoot(game, std::vector<Move>{*ParseUci("b6b9")});
  RunTo(2, &search);
  EXPECT_EQ(search.mate_in(), 0);
  search.SetRoot(PlayGame(fen, loop), std::vector<Move>{*ParseUci("b6b9")});
  RunTo(2, &search);
  EXPECT_EQ(search.mate_in(), 2);
}

// Whatever is claimed in loops is a mate on the board, and no judge stands in its way.
TEST(MateSearchTest, ClaimsOnlyRealMatesInLoops) {
  Random random(9, StreamId("false mates"));
  int loops = 0;
  int mates = 0;
  while (loops < 60) {
    const auto loop = RandomLoop(random);
    if (!loop.has_value()) continue;
    ++loops;
    Game game(loop->start);
    for (const Move move : loop->moves) {
      game.Make(move);
      const int mate_in = MateIn(game, 2);
      if (mate_in == 0) continue;
      ++mates;
      EXPECT_EQ(MovesToMate(game.position(), mate_in), mate_in);
      if (mate_in == 1) continue;
      MateSearch search;
      search.SetRoot(game);
      RunTo(2, &search);
      Game after = game;
      after.Make(search.line()[0]);
      EXPECT_EQ(after.Adjudicate().outcome, Outcome::kUndecided);
      after.Make(search.line()[1]);
      EXPECT_EQ(after.Adjudicate().outcome, Outcome::kUndecided);
    }
  }
  EXPECT_GT(mates, 10);
}

TEST(StalemateGuardTest, PromisesNoReplyThatIsNotThere) {
  Random random(10, StreamId("guard"));
  int promises = 0;
  int tests = 0;
  for (int i = 0; i < 300; ++i) {
    Position position = RandomPlacement(random);
    const StalemateGuard guard(position);
    MoveList moves;
    GenerateLegal(position, &moves);
    for (const Move move : moves) {
      const Undo undo = position.Make(move);
      ++tests;
      // A check is another matter.
      if (guard.LeavesReply(move) && !InCheck(position)) {
        ++promises;
        EXPECT_TRUE(HasLegalMove(position)) << FormatFen(position);
      }
      position.Unmake(move, undo);
    }
  }
  EXPECT_GT(promises, tests / 3);
}

TEST(CheckFilterTest, LetsNoCheckPass) {
  Random random(11, StreamId("filter"));
  int spared = 0;
  int tests = 0;
  int checks = 0;
  for (int i = 0; i < 1000; ++i) {
    Position position = RandomPlacement(random);
    const CheckFilter filter(position.king_square(Opponent(position.side_to_move())));
    MoveList moves;
    GenerateLegal(position, &moves);
    for (const Move move : moves) {
      const Undo undo = position.Make(move);
      ++tests;
      const bool is_check = InCheck(position);
      checks += is_check ? 1 : 0;
      if (!filter.MayAttack(move)) {
        ++spared;
        EXPECT_FALSE(is_check) << FormatFen(position);
      }
      position.Unmake(move, undo);
    }
  }
  EXPECT_GT(checks, 1000);
  EXPECT_GT(spared, tests / 3);
}

}  // namespace
}  // namespace chuhe
