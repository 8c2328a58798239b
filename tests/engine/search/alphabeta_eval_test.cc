#include "engine/search/alphabeta_eval.h"

#include <cstdlib>
#include <string_view>

#include "engine/base/random.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/search/alphabeta_score.h"
#include "gtest/gtest.h"
#include "tests/engine/rules/loops.h"

namespace chuhe {
namespace {

Position Board(std::string_view fen) {
  const auto record = ParseFen({fen.data(), fen.size()});
  EXPECT_TRUE(record.ok()) << record.status();
  return record.ok() ? record->position : Position::Start();
}

int Value(std::string_view board, std::string_view side = "w") {
  return Evaluate(Board(std::string(board) + " " + std::string(side)));
}

// Calls f with positions of random games from the start and random placements of few men.
template <typename F>
void ForRandomPositions(int count, F f) {
  Random random(20, StreamId("evaluation"));
  Position position = Position::Start();
  for (int i = 0; i < count; ++i) {
    if (i % 4 == 0) {
      f(RandomPlacement(random));
      continue;
    }
    MoveList list;
    GenerateLegal(position, &list);
    if (list.size == 0 || i % 150 == 1) {
      position = Position::Start();
      continue;
    }
    position.Make(list[static_cast<int>(random.Below(static_cast<uint64_t>(list.size)))]);
    f(position);
  }
}

TEST(AlphaBetaEvalTest, IsTheSameWithColoursTurned) {
  ForRandomPositions(1000, [](const Position& position) {
    EXPECT_EQ(Evaluate(TurnedGame({position, {}}).start), Evaluate(position))
        << FormatFen(position);
  });
}

TEST(AlphaBetaEvalTest, IsTheSameMirrored) {
  ForRandomPositions(1000, [](const Position& position) {
    EXPECT_EQ(Evaluate(MirroredGame({position, {}}).start), Evaluate(position))
        << FormatFen(position);
  });
}

TEST(AlphaBetaEvalTest, DiffersByTheTurnAlone) {
  const int turn = Evaluate(Position::Start());
  EXPECT_GT(turn, 0);
  EXPECT_LT(turn, 30);
  ForRandomPositions(1000, [turn](Position position) {
    const int own = Evaluate(position);
    position.SwitchSide();
    // Where a side cannot win its advantage is scaled down, the turn with it.
    EXPECT_LE(std::abs(own + Evaluate(position)), 2 * turn) << FormatFen(position);
  });
}

TEST(AlphaBetaEvalTest, StaysWithinItsRange) {
  ForRandomPositions(2000, [](const Position& position) {
    EXPECT_LT(std::abs(Evaluate(position)), kMaxEvaluation);
    EXPECT_FALSE(IsDecisiveScore(Evaluate(position)));
  });
}

TEST(AlphaBetaEvalTest, CountsTheClassicValues) {
  const int all = Value("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
  const int without_rook = Value("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
  const int without_knight = Value("rnbakab1r/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
  const int without_cannon = Value("rnbakabnr/9/1c7/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR");
  EXPECT_NEAR(without_rook - all, 900, 100);
  EXPECT_NEAR(without_knight - all, 400, 100);
  EXPECT_NEAR(without_cannon - all, 450, 100);
  EXPECT_GT(without_cannon, without_knight);
}

TEST(AlphaBetaEvalTest, PrefersKnightsToCannonsLate) {
  const int knight = Value("4k4/4a4/4b4/9/9/4N4/9/9/4A4/4K4");
  const int cannon = Value("4k4/4a4/4b4/9/9/4C4/9/9/4A4/4K4");
  // The middle file would be a hollow cannon's, but two men stand between.
  EXPECT_GT(knight, cannon);
}

TEST(AlphaBetaEvalTest, ValuesPawnsByTheirWayToThePalace) {
  const auto pawn_on = [](std::string_view board) { return Value(board); };
  const int at_home = pawn_on("3k5/9/9/9/9/9/6P2/9/9/4K4");
  const int across = pawn_on("3k5/9/9/9/6P2/9/9/9/9/4K4");
  const int near = pawn_on("3k5/9/5P3/9/9/9/9/9/9/4K4");
  const int old = pawn_on("3k2P2/9/9/9/9/9/9/9/9/4K4");
  EXPECT_GT(across, at_home + 50);
  EXPECT_GT(near, across);
  EXPECT_LT(old, across);
}

TEST(AlphaBetaEvalTest, LikesAHollowCannon) {
  // Black's middle pawn is gone either way; it is Black's turn, in check or not.
  const int hollow = Value("rnbakabnr/9/9/p1p3p1p/9/4C4/P1P1P1P1P/9/9/RNBAKABNR", "b");
  const int aside = Value("rnbakabnr/9/9/p1p3p1p/9/5C3/P1P1P1P1P/9/9/RNBAKABNR", "b");
  EXPECT_LT(hollow, aside - 60);
}

TEST(AlphaBetaEvalTest, LikesRooksMoreAgainstAPalaceWithoutAdvisors) {
  // What a second rook adds, with Black's advisors at home and with bishops in their place.
  const int closed = Value("3aka3/9/9/9/9/9/9/9/9/R2K4R") - Value("3aka3/9/9/9/9/9/9/9/9/R2K5");
  const int open = Value("2b1k1b2/9/9/9/9/9/9/9/9/R2K4R") - Value("2b1k1b2/9/9/9/9/9/9/9/9/R2K5");
  EXPECT_GT(open, closed + 20);
}

TEST(AlphaBetaEvalTest, LikesCannonsMoreAgainstAPalaceWithoutBishops) {
  const int closed = Value("2b1k1b2/9/9/9/9/9/9/9/9/C2K4C") - Value("2b1k1b2/9/9/9/9/9/9/9/9/C2K5");
  const int open = Value("3aka3/9/9/9/9/9/9/9/9/C2K4C") - Value("3aka3/9/9/9/9/9/9/9/9/C2K5");
  EXPECT_GT(open, closed + 20);
}

TEST(AlphaBetaEvalTest, SeesBlockedLegs) {
  // The bishop stands as well on either side, but on this one in the knight's way.
  EXPECT_GT(Value("3k5/9/9/9/9/2B6/6N2/9/9/4K4"), Value("3k5/9/9/9/9/6B2/6N2/9/9/4K4"));
}

TEST(AlphaBetaEvalTest, HopesForADrawAtMostWithoutAttackers) {
  EXPECT_LT(Value("4k4/9/9/9/9/9/9/4B4/4A4/3AK1B2"), 100);
}

TEST(AlphaBetaEvalTest, KnowsThatAPawnIsWorthTwoAcross) {
  const Position board = Board("3k5/9/9/9/P8/9/2P6/9/9/4K4 w");
  EXPECT_EQ(ClassicValue(board, board.unit_at(MakeSquare(0, 5))), 200);
  EXPECT_EQ(ClassicValue(board, board.unit_at(MakeSquare(2, 3))), 100);
  EXPECT_EQ(ClassicValue(board, kNoUnit), 0);
}

}  // namespace
}  // namespace chuhe
