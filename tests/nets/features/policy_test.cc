#include "nets/features/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nets/features/move_shape.h"
#include "tests/engine/board/drawn_board.h"

namespace chuhe {
namespace {

constexpr std::string_view kAdvisorSteps[] = {"d0e1", "f0e1", "e1d0", "e1f0",
                                              "e1d2", "e1f2", "d2e1", "f2e1"};
constexpr std::string_view kBishopSteps[] = {"a2c0", "a2c4", "c0a2", "c0e2", "c4a2", "c4e2",
                                             "e2c0", "e2c4", "e2g0", "e2g4", "g0e2", "g0i2",
                                             "g4e2", "g4i2", "i2g0", "i2g4"};

bool IsIn(std::span<const std::string_view> steps, Move move) {
  return std::find(steps.begin(), steps.end(), TextOf(move)) != steps.end();
}

bool IsKnown(Move move) {
  const int files = std::abs(FileOf(move.to()) - FileOf(move.from()));
  const int ranks = std::abs(RankOf(move.to()) - RankOf(move.from()));
  const bool rook = (files == 0) != (ranks == 0);
  const bool knight = files * ranks == 2;
  return rook || knight || IsIn(kAdvisorSteps, move) || IsIn(kBishopSteps, move);
}

template <typename F>
void ForEachPair(F f) {
  for (int from = 0; from < kSquares; ++from) {
    for (int to = 0; to < kSquares; ++to) {
      f(Move(static_cast<Square>(from), static_cast<Square>(to)));
    }
  }
}

TEST(PolicyTest, NumbersKnownPairsByFromThenTo) {
  int next = 0;
  ForEachPair([&](Move move) {
    EXPECT_EQ(PolicyIndex(move), IsKnown(move) ? next : -1) << TextOf(move);
    if (!IsKnown(move)) return;
    EXPECT_EQ(PolicyMove(next), move) << TextOf(move);
    ++next;
  });
  EXPECT_EQ(next, kPolicyMoves);
}

TEST(PolicyTest, CountsAreThoseOfTheDesign) {
  int straight = 0;
  int knight = 0;
  int advisor = 0;
  int bishop = 0;
  for (int index = 0; index < kPolicyMoves; ++index) {
    const int shape = MoveShape(PolicyMove(index));
    ++(shape < 34 ? straight : shape < 42 ? knight : shape < 46 ? advisor : bishop);
  }
  EXPECT_EQ(straight + knight, 2038);
  EXPECT_EQ(straight, 90 * 17);
  EXPECT_EQ(advisor, 8);
  EXPECT_EQ(bishop, 16);
}

TEST(PolicyTest, PairsOutsideTheBoardHaveNoNumber) {
  EXPECT_EQ(PolicyIndex(Move()), -1);
  EXPECT_EQ(PolicyIndex(Move(kNoSquare, kNoSquare)), -1);
  EXPECT_EQ(PolicyIndex(Move(0, kNoSquare)), -1);
  EXPECT_EQ(PolicyIndex(Move(kNoSquare, 0)), -1);
  EXPECT_EQ(PolicyIndex(Move::FromBits(0xffff)), -1);
  EXPECT_EQ(PolicyIndex(Move::FromBits(1 << 14 | Move(0, 1).bits())), -1);
}

TEST(PolicyTest, MirroredMovesAreKnownToo) {
  for (int index = 0; index < kPolicyMoves; ++index) {
    const int mirrored = PolicyIndex(Mirrored(PolicyMove(index)));
    ASSERT_GE(mirrored, 0) << TextOf(PolicyMove(index));
    EXPECT_EQ(PolicyIndex(Mirrored(PolicyMove(mirrored))), index);
  }
}

TEST(PolicyTest, BlackSeesItsMovesTurned) {
  EXPECT_EQ(TextOf(SeenBy(Color::kRed, MoveOf("h2e2"))), "h2e2");
  EXPECT_EQ(TextOf(SeenBy(Color::kBlack, MoveOf("h9g7"))), "b0c2");
  EXPECT_EQ(SeenBy(Color::kBlack, SeenBy(Color::kBlack, MoveOf("h9g7"))), MoveOf("h9g7"));
}

// Displacements by shape, in the order that the header tells: pairs of rank and file difference.
std::vector<std::pair<int, int>> Displacements() {
  std::vector<std::pair<int, int>> all;
  for (int files = -8; files <= 8; ++files) {
    if (files != 0) all.emplace_back(0, files);
  }
  for (int ranks = -9; ranks <= 9; ++ranks) {
    if (ranks != 0) all.emplace_back(ranks, 0);
  }
  const auto add_group = [&](auto belongs) {
    for (int ranks = -2; ranks <= 2; ++ranks) {
      for (int files = -2; files <= 2; ++files) {
        if (belongs(std::abs(ranks), std::abs(files))) all.emplace_back(ranks, files);
      }
    }
  };
  add_group([](int ranks, int files) { return ranks * files == 2; });
  add_group([](int ranks, int files) { return ranks == 1 && files == 1; });
  add_group([](int ranks, int files) { return ranks == 2 && files == 2; });
  return all;
}

TEST(MoveShapeTest, FollowsTheDisplacement) {
  std::map<std::pair<int, int>, int> shapes;
  for (const std::pair<int, int>& displacement : Displacements()) {
    shapes.emplace(displacement, static_cast<int>(shapes.size()));
  }
  ASSERT_EQ(shapes.size(), size_t{kMoveShapes});
  ForEachPair([&](Move move) {
    const auto shape = shapes.find(
        {RankOf(move.to()) - RankOf(move.from()), FileOf(move.to()) - FileOf(move.from())});
    const int expected = shape == shapes.end() ? -1 : shape->second;
    EXPECT_EQ(ShapeBetween(move.from(), move.to()), expected) << TextOf(move);
    if (PolicyIndex(move) >= 0) {
      EXPECT_EQ(MoveShape(move), expected) << TextOf(move);
    }
  });
}

}  // namespace
}  // namespace chuhe
