#include "tests/engine/rules/notation/round_trip.h"

#include <bit>

#include "engine/board/fen.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(RoundTripTest, StartPosition) { ExpectRoundTrips(Position::Start()); }

TEST(RoundTripTest, SomeRandomPlay) { ExpectRoundTripsInRandomPlay(1, 3000); }

TEST(RoundTripTest, SomeComposedPositions) { ExpectRoundTripsInComposedPositions(2, 3000); }

// All ways to put up to five pawns on five ranks of three files: every tandem that there is.
TEST(RoundTripTest, EveryTandemOfPawns) {
  constexpr int kPoints = 15;
  constexpr int kChosenFiles[] = {0, 1, 7};
  int positions = 0;
  for (int set = 1; set < 1 << kPoints; ++set) {
    if (std::popcount(static_cast<unsigned>(set)) > UnitCount(PieceType::kPawn)) {
      continue;
    }
    for (const Color color : {Color::kRed, Color::kBlack}) {
      Position position;
      const auto place = [&](Color side, PieceType type, int file, int rank) {
        const Square square = MakeSquare(file, rank);
        position.PlaceUnit(side, type, color == Color::kRed ? square : Turned(square));
      };
      place(color, PieceType::kKing, 3, 0);
      place(Opponent(color), PieceType::kKing, 5, 9);
      for (int point = 0; point < kPoints; ++point) {
        if ((set >> point & 1) != 0) {
          place(color, PieceType::kPawn, kChosenFiles[point / 5], 5 + point % 5);
        }
      }
      position.set_side_to_move(color);
      if (ParseFen(FormatFen(position)).ok()) {
        ++positions;
        ASSERT_NO_FATAL_FAILURE(ExpectRoundTrips(position));
      }
    }
  }
  EXPECT_EQ(positions, 2 * 4943);
}

}  // namespace
}  // namespace chuhe
