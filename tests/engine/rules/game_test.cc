#include "engine/rules/game.h"

#include <algorithm>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/attacks.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/play.h"

namespace chuhe {
namespace {

using ::testing::StartsWith;

constexpr char kCheckLoop[] = "4k4/9/5R3/9/9/4P4/9/9/9/3K5 w - - 0 1";

TEST(GameTest, CountsOccurrencesFromTheStartPositionOn) {
  Game game = PlayGame(kCheckLoop, "f7e7 e9f9 e7f7 f9e9");
  EXPECT_EQ(game.PliesSinceOccurrence(1), 4);
  EXPECT_EQ(game.PliesSinceOccurrence(2), 0);
  EXPECT_EQ(game.JudgeRepetition().outcome, Outcome::kUndecided);
  game = PlayGame(kCheckLoop, "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9");
  EXPECT_EQ(game.PliesSinceOccurrence(1), 4);
  EXPECT_EQ(game.PliesSinceOccurrence(2), 8);
  EXPECT_EQ(game.JudgeRepetition().outcome, Outcome::kRedLoses);
}

TEST(GameTest, FindsOccurrencesHoweverLongAgo) {
  Random random(6);
  Game game = PlayGame("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "");
  std::vector<Position> positions{game.position()};
  int longest = 0;
  for (int ply = 1; ply <= 1500; ++ply) {
    MoveList moves;
    GenerateLegal(game.position(), &moves);
    ASSERT_GT(moves.size, 0);
    game.Make(moves[static_cast<int>(random.Below(static_cast<uint64_t>(moves.size)))]);
    if (!HasLegalMove(game.position()) || game.was_capture(game.plies())) {
      game.Unmake();
      continue;
    }
    int occurrence = 0;
    for (int ago = 1; ago <= game.plies(); ++ago) {
      if (positions[positions.size() - static_cast<size_t>(ago)] != game.position()) continue;
      ++occurrence;
      EXPECT_EQ(game.PliesSinceOccurrence(occurrence), ago);
      longest = std::max(longest, ago);
    }
    EXPECT_EQ(game.PliesSinceOccurrence(occurrence + 1), 0);
    positions.push_back(game.position());
  }
  EXPECT_GT(longest, 500);
}

TEST(GameTest, DoesNotLookBehindACapture) {
  // The rook takes a pawn and comes back: the earlier occurrences had one man more.
  const Game game =
      PlayGame("4k4/9/9/9/9/p8/9/R8/9/3K5 w - - 0 1", "a2a4 e9e8 a4a2 e8e9 a2b2 e9e8 b2a2 e8e9");
  EXPECT_EQ(game.PliesSinceOccurrence(1), 4);
  EXPECT_EQ(game.PliesSinceOccurrence(2), 0);
  EXPECT_EQ(game.reversible_plies(), 7);
}

TEST(GameTest, UnmakeRestoresPositionCountersAndOccurrences) {
  Random random(5);
  Game game(Position::Start(), {});
  std::vector<std::string> fens;
  std::vector<int> counters;
  for (int ply = 0; ply < 200; ++ply) {
    fens.push_back(FormatFen(game.position(), game.no_capture_plies()));
    counters.push_back(game.PliesSinceOccurrence());
    MoveList moves;
    GenerateLegal(game.position(), &moves);
    if (moves.size == 0) break;
    game.Make(moves[static_cast<int>(random.Below(static_cast<uint64_t>(moves.size)))]);
  }
  ASSERT_GT(game.plies(), 50);
  while (game.plies() > 0) {
    game.Unmake();
    ASSERT_EQ(FormatFen(game.position(), game.no_capture_plies()), fens[game.plies()]);
    ASSERT_EQ(game.PliesSinceOccurrence(), counters[game.plies()]);
  }
}

TEST(GameTest, PositionAtGivesEveryPositionOfTheGame) {
  const Game game = PlayGame(kStartFen, "h2e2 h9g7 h0g2 i9h9");
  EXPECT_EQ(FormatFen(game.PositionAt(0)), kStartFen);
  EXPECT_EQ(FormatFen(game.PositionAt(4)), FormatFen(game.position()));
  EXPECT_EQ(FormatFen(PlayGame(kStartFen, "h2e2 h9g7").position()), FormatFen(game.PositionAt(2)));
}

TEST(GameTest, CountsPliesWithoutCaptureFromTheFenOn) {
  EXPECT_EQ(PlayGame("3k5/9/9/9/9/9/9/R8/9/4K4 w - - 30 80", "a2a3 d9d8").no_capture_plies(), 32);
  EXPECT_EQ(PlayGame("3k5/9/9/9/p8/9/9/R8/9/4K4 w - - 30 80", "a2a5 d9d8").no_capture_plies(), 1);
}

// Red checks from d2 and c2 in turn, the king steps between d9 and e9… each round is four plies
// of which the first two are a check and its answer.
TEST(GameTest, TenChecksASideCountAndLaterOnesDoNot) {
  const Position start = ParseFen("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1")->position;
  Game game(start, {.rules = RuleSet::kComputer});
  const auto play = [&game](Square from, Square to) { game.Make(Move(from, to)); };
  int checks = 0;
  int rank = 2;
  int file = 0;
  int king_file = 3;
  for (int round = 0; round < 14; ++round) {
    const int king_to = king_file == 3 ? 4 : 3;
    play(MakeSquare(file, rank), MakeSquare(king_file, rank));
    ++checks;
    ASSERT_TRUE(game.in_check());
    ASSERT_EQ(game.no_capture_plies(), checks <= 10 ? 4 * round + 1 : 40 + 2 * (round - 10));
    play(MakeSquare(king_file, 9), MakeSquare(king_to, 9));
    ASSERT_EQ(game.no_capture_plies(), checks <= 10 ? 4 * round + 2 : 40 + 2 * (round - 10));
    // Away from the file, one rank on so that nothing repeats soon, and Black waits.
    play(MakeSquare(king_file, rank), MakeSquare(0, rank));
    play(MakeSquare(king_to, 9), MakeSquare(king_file, 9));
    file = 0;
  }
  EXPECT_EQ(game.no_capture_plies(), 48);
  EXPECT_EQ(game.reversible_plies(), 56);
}

TEST(GameTest, ReachesTheLimitOfEachRuleSet) {
  constexpr char kFen[] = "3k5/9/9/9/9/9/9/R8/9/4K4 w - - 98 80";
  EXPECT_THAT(JudgedText(PlayGame(kFen, "a2a3 d9d8", RuleSet::kAxf)),
              StartsWith("draw: 100 counted plies"));
  EXPECT_THAT(JudgedText(PlayGame(kFen, "a2a3 d9d8", RuleSet::kComputer)), StartsWith("undecided"));
  constexpr char kLate[] = "3k5/9/9/9/9/9/9/R8/9/4K4 w - - 118 80";
  for (const RuleSet rules : {RuleSet::kComputer, RuleSet::kPikafish, RuleSet::kCxa}) {
    EXPECT_THAT(JudgedText(PlayGame(kLate, "a2a3", rules)), StartsWith("undecided"));
    EXPECT_THAT(JudgedText(PlayGame(kLate, "a2a3 d9d8", rules)),
                StartsWith("draw: 120 counted plies"));
  }
}

TEST(GameTest, ACounterBeyondTheLimitIsADrawUnlessTheGameIsWon) {
  EXPECT_THAT(JudgedText(PlayGame("3k5/9/9/9/9/9/9/R8/9/4K4 w - - 500 80", "")),
              StartsWith("draw: 500 counted plies"));
  EXPECT_THAT(JudgedText(PlayGame("3k5/9/9/9/3R5/9/9/9/9/4K4 b - - 500 80", "")),
              StartsWith("black loses: Black is checkmated"));
  EXPECT_THAT(JudgedText(PlayGame("3k5/2P6/9/9/9/9/9/9/4R4/4K4 b - - 119 80", "")),
              StartsWith("black loses: Black has no legal move"));
}

TEST(GameTest, JudgesRepetitionBeforeTheLimit) {
  const Game game = PlayGame("4k4/9/5R3/9/9/4P4/9/9/9/3K5 w - - 112 1",
                             "f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9");
  EXPECT_EQ(game.no_capture_plies(), 120);
  EXPECT_THAT(JudgedText(game), StartsWith("red loses: perpetual check by Red in plies 1 to 8"));
}

TEST(GameTest, APlyCapEndsTheGame) {
  Game game(Position::Start(), {.rules = RuleSet::kComputer, .ply_cap = 2});
  game.Make(Move(MakeSquare(7, 2), MakeSquare(4, 2)));
  EXPECT_EQ(game.Adjudicate().outcome, Outcome::kUndecided);
  game.Make(Move(MakeSquare(7, 9), MakeSquare(6, 7)));
  EXPECT_EQ(game.Adjudicate().reason, Reason::kPlyCap);
  EXPECT_EQ(game.Adjudicate().outcome, Outcome::kDraw);
}

TEST(GameTest, AFourthOccurrenceIsJudgedByTheLatestThree) {
  // An idle loop first, then two loops of checks: the latest three occurrences hold checks alone.
  const Game game =
      PlayGame(kCheckLoop, "f7g7 e9e8 g7f7 e8e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9");
  EXPECT_THAT(JudgedText(game), StartsWith("red loses: perpetual check by Red in plies 5 to 12"));
}

}  // namespace
}  // namespace chuhe
