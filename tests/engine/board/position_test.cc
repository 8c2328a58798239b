#include "engine/board/position.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "tests/engine/board/drawn_board.h"
#include "tests/reference/reference_board.h"

namespace chuhe {
namespace {

constexpr Color kColors[] = {Color::kRed, Color::kBlack};

// All that a position shows, as text; two texts are equal only if everything is equal, down to
// which unit stands where.
std::string Everything(const Position& position) {
  std::string text = position.side_to_move() == Color::kRed ? "red\n" : "black\n";
  text += std::to_string(position.key()) + '\n';
  const auto add_bitboard = [&](const Bitboard& set) {
    text += std::to_string(set.lo) + '/' + std::to_string(set.hi) + ' ';
  };
  for (const Color color : kColors) {
    add_bitboard(position.occupied(color));
    add_bitboard(position.pawns(color));
  }
  for (int square = 0; square < kSquares; ++square) {
    text += std::to_string(position.unit_at(static_cast<Square>(square))) + ' ';
  }
  for (int unit = 0; unit < kUnits; ++unit) {
    text += std::to_string(position.square_of(static_cast<Unit>(unit))) + ' ';
  }
  return text;
}

// Whether the sets say what unit_at() says.
void ExpectConsistent(const Position& position) {
  const std::string board = WriteReferenceFen(ReferenceOf(position));
  int men[2][kPieceTypes] = {};
  for (int s = 0; s < kSquares; ++s) {
    const auto square = static_cast<Square>(s);
    const Unit unit = position.unit_at(square);
    EXPECT_EQ(position.is_empty(square), unit == kNoUnit) << board;
    if (unit != kNoUnit) {
      EXPECT_EQ(position.square_of(unit), square) << TextOf(square) << " in " << board;
      ++men[Index(ColorOf(unit))][Index(TypeOf(unit))];
    }
    for (const Color color : kColors) {
      const bool stands = unit != kNoUnit && ColorOf(unit) == color;
      const std::string place = TextOf(square) + " in " + board;
      EXPECT_EQ(position.occupied(color).contains(square), stands) << place;
      EXPECT_EQ(position.pawns(color).contains(square), stands && TypeOf(unit) == PieceType::kPawn)
          << place;
    }
  }
  int on_board = 0;
  for (int unit = 0; unit < kUnits; ++unit) {
    if (position.square_of(static_cast<Unit>(unit)) != kNoSquare) ++on_board;
  }
  EXPECT_EQ(on_board, position.occupied().count()) << "captured units in " << board;
  for (const Color color : kColors) {
    for (int type = 0; type < kPieceTypes; ++type) {
      EXPECT_EQ(position.count(color, static_cast<PieceType>(type)), men[Index(color)][type])
          << board;
    }
  }
  EXPECT_EQ(position.key(), position.ComputeKey()) << board;
}

struct Played {
  Move move;
  Undo undo;
  std::string before;
};

TEST(PositionTest, StartsWithAllMenOnTheirPoints) {
  const Position position = Position::Start();
  EXPECT_EQ(WriteReferenceFen(ReferenceOf(position)),
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
  EXPECT_EQ(position.king_square(Color::kRed), SquareOf("e0"));
  EXPECT_EQ(position.king_square(Color::kBlack), SquareOf("e9"));
  ExpectConsistent(position);
}

TEST(PositionTest, StartsEmptyWithRedToMove) {
  const Position position;
  EXPECT_EQ(position.side_to_move(), Color::kRed);
  EXPECT_TRUE(position.occupied().empty());
  ExpectConsistent(position);
}

TEST(PositionTest, UnmakeRestoresEverythingThroughRandomGames) {
  Random random(7);
  for (int game = 0; game < 60; ++game) {
    Position position = Position::Start();
    std::vector<Played> line;
    for (int ply = 0; ply < 120; ++ply) {
      MoveList list;
      GenerateLegal(position, &list);
      if (list.size == 0) break;
      const Move move = list[static_cast<int>(random.Below(static_cast<uint64_t>(list.size)))];
      std::string before = Everything(position);
      const Unit taken = position.unit_at(move.to());
      const Undo undo = position.Make(move);
      EXPECT_EQ(undo.captured, taken);
      line.push_back({move, undo, std::move(before)});
      if (ply % 8 == 0) ExpectConsistent(position);
      ASSERT_EQ(position.key(), position.ComputeKey());
    }
    while (!line.empty()) {
      position.Unmake(line.back().move, line.back().undo);
      ASSERT_EQ(Everything(position), line.back().before) << TextOf(line.back().move);
      line.pop_back();
    }
  }
}

TEST(PositionTest, CaptureTakesTheUnitOffTheBoard) {
  Position position = Position::Start();
  const Unit knight = position.unit_at(SquareOf("b9"));
  const Undo undo = position.Make(MoveOf("b2b9"));
  EXPECT_EQ(undo.captured, knight);
  EXPECT_EQ(position.square_of(knight), kNoSquare);
  EXPECT_EQ(position.count(Color::kBlack, PieceType::kKnight), 1);
  EXPECT_EQ(position.occupied().count(), 31);
  ExpectConsistent(position);
}

TEST(PositionTest, UnitKeepsItsNumberWhileItMoves) {
  Position position = Position::Start();
  const Unit cannon = position.unit_at(SquareOf("h2"));
  position.Make(MoveOf("h2e2"));
  EXPECT_EQ(position.unit_at(SquareOf("e2")), cannon);
  EXPECT_EQ(position.square_of(cannon), SquareOf("e2"));
}

TEST(PositionTest, EqualBoardsByDifferentWaysHaveEqualKeys) {
  Position a = Position::Start();
  Position b = Position::Start();
  for (const char* move : {"h2e2", "h9g7", "h0g2", "i9h9"}) a.Make(MoveOf(move));
  for (const char* move : {"h0g2", "h9g7", "h2e2", "i9h9"}) b.Make(MoveOf(move));
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.key(), b.key());
}

TEST(PositionTest, ExchangedUnitsOfAKindMakeNoDifference) {
  Position a;
  Position b;
  for (const PieceType type : {PieceType::kRook, PieceType::kKnight, PieceType::kPawn}) {
    const int rank = Index(type);  // a rank for each kind
    for (const int file : {0, 8}) {
      ASSERT_TRUE(a.PlaceUnit(Color::kRed, type, MakeSquare(file, rank)));
      ASSERT_TRUE(b.PlaceUnit(Color::kRed, type, MakeSquare(8 - file, rank)));
    }
  }
  const Square rook = MakeSquare(0, Index(PieceType::kRook));
  EXPECT_NE(a.unit_at(rook), b.unit_at(rook));
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.key(), b.key());
}

TEST(PositionTest, RooksThatChangePlacesGiveTheSameKey) {
  Position position = DrawnBoard(R"(
      ...k.....
      .........
      .........
      .........
      .........
      .........
      .........
      .........
      R........
      R....K...)",
                                 Color::kRed);
  const Position before = position;
  const Unit lower = position.unit_at(SquareOf("a0"));
  for (const char* move : {"a0b0", "d9d8", "a1a0", "d8d9", "b0b1", "d9d8", "b1a1", "d8d9"}) {
    position.Make(MoveOf(move));
  }
  EXPECT_EQ(position.unit_at(SquareOf("a1")), lower);
  EXPECT_TRUE(position == before);
  EXPECT_EQ(position.key(), before.key());
}

TEST(PositionTest, DifferentPositionsAreUnequalAndHaveDifferentKeys) {
  const Position start = Position::Start();
  Position moved = start;
  moved.Make(MoveOf("b2e2"));
  Position other_side = start;
  other_side.set_side_to_move(Color::kBlack);
  Position colours;  // the same points, another colour
  ASSERT_TRUE(colours.PlaceUnit(Color::kRed, PieceType::kRook, 40));
  Position kinds;
  ASSERT_TRUE(kinds.PlaceUnit(Color::kRed, PieceType::kCannon, 40));
  Position black_rook;
  ASSERT_TRUE(black_rook.PlaceUnit(Color::kBlack, PieceType::kRook, 40));
  const std::vector<Position> all = {start, moved, other_side, colours, kinds, black_rook, {}};
  std::set<uint64_t> keys;
  for (const Position& a : all) {
    keys.insert(a.key());
    for (const Position& b : all) EXPECT_EQ(a == b, &a == &b);
  }
  EXPECT_EQ(keys.size(), all.size());
}

TEST(PositionTest, KeysDoNotCollideInRandomPlay) {
  Random random(8);
  std::unordered_map<uint64_t, std::string> boards;
  for (int game = 0; game < 100; ++game) {
    Position position = Position::Start();
    for (int ply = 0; ply < 100; ++ply) {
      const std::string board = WriteReferenceFen(ReferenceOf(position));
      const auto [entry, is_new] = boards.emplace(position.key(), board);
      ASSERT_EQ(entry->second, board);
      MoveList list;
      GenerateLegal(position, &list);
      if (list.size == 0) break;
      position.Make(list[static_cast<int>(random.Below(static_cast<uint64_t>(list.size)))]);
    }
  }
  EXPECT_GT(boards.size(), 5000u);
}

TEST(PositionTest, SwitchSideChangesTheTurnAlone) {
  Position position = Position::Start();
  const std::string before = Everything(position);
  const uint64_t key = position.key();
  position.SwitchSide();
  EXPECT_EQ(position.side_to_move(), Color::kBlack);
  EXPECT_NE(position.key(), key);
  ExpectConsistent(position);
  Position black = Position::Start();
  black.set_side_to_move(Color::kBlack);
  EXPECT_TRUE(position == black);
  EXPECT_EQ(position.key(), black.key());
  position.SwitchSide();
  EXPECT_EQ(Everything(position), before);
}

TEST(PositionTest, SetSideToMoveMayBeRepeated) {
  Position position = Position::Start();
  const std::string before = Everything(position);
  position.set_side_to_move(Color::kRed);
  EXPECT_EQ(Everything(position), before);
  position.set_side_to_move(Color::kBlack);
  position.set_side_to_move(Color::kBlack);
  ExpectConsistent(position);
  position.set_side_to_move(Color::kRed);
  EXPECT_EQ(Everything(position), before);
}

TEST(PositionTest, PlaceUnitEndsWithTheSet) {
  for (const Color color : kColors) {
    for (int t = 0; t < kPieceTypes; ++t) {
      const auto type = static_cast<PieceType>(t);
      Position position;
      for (int i = 0; i < UnitCount(type); ++i) {
        EXPECT_TRUE(position.PlaceUnit(color, type, static_cast<Square>(20 + i)));
      }
      const std::string full = Everything(position);
      EXPECT_FALSE(position.PlaceUnit(color, type, 50)) << "kind " << t;
      EXPECT_EQ(Everything(position), full);
      EXPECT_EQ(position.count(color, type), UnitCount(type));
      EXPECT_EQ(position.count(Opponent(color), type), 0);
      ExpectConsistent(position);
    }
  }
}

}  // namespace
}  // namespace chuhe
