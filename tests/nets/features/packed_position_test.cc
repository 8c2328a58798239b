#include "nets/features/packed_position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/engine/board/drawn_board.h"

namespace chuhe {
namespace {

EvaluationRequest Question(const Position& position) {
  EvaluationRequest request;
  request.position = position;
  return request;
}

// Points as text, `-` for captured.
std::string Points(const PackedPosition& packed, int first, int count) {
  std::string text;
  for (int i = first; i < first + count; ++i) {
    if (!text.empty()) text += ' ';
    text += packed.squares[i] == kNoSquare ? "-" : TextOf(Square{packed.squares[i]});
  }
  return text;
}

std::string OwnPoints(const PackedPosition& packed) { return Points(packed, 0, kUnitsPerSide); }
std::string OpponentPoints(const PackedPosition& packed) {
  return Points(packed, kUnitsPerSide, kUnitsPerSide);
}

constexpr std::string_view kFewMen =
    "...k.r..."
    "........."
    "........."
    "p.....p.."
    "........."
    "..P......"
    "........P"
    "........."
    "...A.R..."
    "....KAB..";

TEST(PackTest, ListsPointsByKindThenByPoint) {
  const PackedPosition packed = Pack(Question(DrawnBoard(kFewMen, Color::kRed)));
  EXPECT_EQ(OwnPoints(packed), "e0 f0 d1 g0 - - - f1 - - - i3 c4 - - -");
  EXPECT_EQ(OpponentPoints(packed), "d9 - - - - - - f9 - - - a6 g6 - - -");
}

TEST(PackTest, TurnsTheBoardForBlack) {
  const PackedPosition packed = Pack(Question(DrawnBoard(kFewMen, Color::kBlack)));
  EXPECT_EQ(OwnPoints(packed), "f0 - - - - - - d0 - - - c3 i3 - - -");
  EXPECT_EQ(OpponentPoints(packed), "e9 f8 d9 c9 - - - d8 - - - g5 a6 - - -");
}

TEST(PackTest, UnitsOfAKindThatChangedPlacesAreEqualBytes) {
  const Position start = Position::Start();
  const ReferenceBoard board = ReferenceOf(start);
  const Position from_black = PositionOf(board, /*from_black=*/true);
  const Position from_red = PositionOf(board, /*from_black=*/false);
  const Unit rook = FirstUnit(Color::kRed, PieceType::kRook);
  const Unit pawn = FirstUnit(Color::kRed, PieceType::kPawn);
  ASSERT_NE(from_black.square_of(rook), from_red.square_of(rook));
  ASSERT_NE(from_black.square_of(pawn), from_red.square_of(pawn));
  EXPECT_EQ(Pack(Question(from_black)), Pack(Question(from_red)));
}

// All orders of five pawns, since they are sorted by a network of fixed comparisons.
TEST(PackTest, SortsPawnsFromAnyOrder) {
  std::vector<Square> squares = {27, 31, 50, 88, kNoSquare};
  do {
    Position position;
    position.PlaceUnit(Color::kRed, PieceType::kKing, 4);
    position.PlaceUnit(Color::kBlack, PieceType::kKing, 84);
    // PlaceUnit gives units out in order; one that is captured leaves a gap.
    for (const Square square : squares) {
      position.PlaceUnit(Color::kRed, PieceType::kPawn, square == kNoSquare ? Square{60} : square);
    }
    const Move capture(69, 60);
    position.PlaceUnit(Color::kBlack, PieceType::kRook, 69);
    position.set_side_to_move(Color::kBlack);
    position.Make(capture);
    EXPECT_EQ(Points(Pack(Question(position)), 11, 5), "a3 e3 f5 h9 -");
  } while (std::next_permutation(squares.begin(), squares.end()));
}

TEST(PackTest, RecentPliesAreSeenBySideToMove) {
  EvaluationRequest request = Question(Position::Start());
  request.recent[0] = MoveOf("h9g7");
  request.recent[1] = MoveOf("h2e2");
  const PackedPosition red = Pack(request);
  EXPECT_THAT(red.recent[0], testing::ElementsAre(SquareOf("h9"), SquareOf("g7")));
  EXPECT_THAT(red.recent[1], testing::ElementsAre(SquareOf("h2"), SquareOf("e2")));
  request.position.SwitchSide();
  const PackedPosition black = Pack(request);
  EXPECT_THAT(black.recent[0], testing::ElementsAre(SquareOf("b0"), SquareOf("c2")));
  EXPECT_THAT(black.recent[1], testing::ElementsAre(SquareOf("b7"), SquareOf("e7")));
  for (int i = 2; i < kRecentPlies; ++i) {
    EXPECT_THAT(red.recent[i], testing::ElementsAre(kNoSquare, kNoSquare));
    EXPECT_THAT(black.recent[i], testing::ElementsAre(kNoSquare, kNoSquare));
  }
}

TEST(PackTest, ChecksGoToTheSideThatGaveThem) {
  EvaluationRequest request = Question(Position::Start());
  request.checks_in_a_row[Index(Color::kRed)] = 2;
  request.checks_in_a_row[Index(Color::kBlack)] = 5;
  EXPECT_EQ(Pack(request).own_checks, 2);
  EXPECT_EQ(Pack(request).opponent_checks, 5);
  request.position.SwitchSide();
  EXPECT_EQ(Pack(request).own_checks, 5);
  EXPECT_EQ(Pack(request).opponent_checks, 2);
}

TEST(PackTest, CountsStayWithinWhatPlanesCanShow) {
  EvaluationRequest request = Question(Position::Start());
  struct Case {
    int occurrences, no_capture_plies, checks;
    int packed_occurrences, packed_no_capture_plies, packed_checks;
  };
  constexpr Case kCases[] = {{1, 0, 0, 1, 0, 0},
                             {2, 119, 5, 2, 119, 5},
                             {3, 120, 6, 3, 120, 6},
                             {4, 121, 7, 3, 120, 6},
                             {300, 1000, 300, 3, 120, 6}};
  for (const Case& c : kCases) {
    request.occurrences = c.occurrences;
    request.no_capture_plies = c.no_capture_plies;
    request.checks_in_a_row[0] = c.checks;
    request.checks_in_a_row[1] = c.checks;
    const PackedPosition packed = Pack(request);
    EXPECT_EQ(packed.occurrences, c.packed_occurrences);
    EXPECT_EQ(packed.no_capture_plies, c.packed_no_capture_plies);
    EXPECT_EQ(packed.own_checks, c.packed_checks);
    EXPECT_EQ(packed.opponent_checks, c.packed_checks);
  }
}

TEST(MirrorTest, ChangesLeftAndRight) {
  EvaluationRequest request = Question(DrawnBoard(kFewMen, Color::kRed));
  request.recent[0] = MoveOf("a9a6");
  request.no_capture_plies = 7;
  request.checks_in_a_row[0] = 1;
  const PackedPosition packed = Pack(request);
  const PackedPosition mirrored = Mirror(packed);
  EXPECT_EQ(OwnPoints(mirrored), "e0 d0 f1 c0 - - - d1 - - - a3 g4 - - -");
  EXPECT_EQ(OpponentPoints(mirrored), "f9 - - - - - - d9 - - - c6 i6 - - -");
  EXPECT_THAT(mirrored.recent[0], testing::ElementsAre(SquareOf("i9"), SquareOf("i6")));
  EXPECT_THAT(mirrored.recent[1], testing::ElementsAre(kNoSquare, kNoSquare));
  EXPECT_EQ(mirrored.no_capture_plies, 7);
  EXPECT_EQ(mirrored.own_checks, 1);
  EXPECT_EQ(Mirror(mirrored), packed);
}

TEST(MirrorTest, OfAPositionThatIsItsOwnMirrorChangesNothing) {
  const PackedPosition packed = Pack(Question(Position::Start()));
  EXPECT_EQ(Mirror(packed), packed);
}

}  // namespace
}  // namespace chuhe
