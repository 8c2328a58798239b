#include "tests/engine/rules/notation/round_trip.h"

#include <string>

#include "absl/status/statusor.h"
#include "engine/board/attacks.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/move_text.h"
#include "engine/rules/notation/notation.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

constexpr Notation kNotations[] = {Notation::kIccs, Notation::kUci,     Notation::kFairy,
                                   Notation::kWxf,  Notation::kChinese, Notation::kTraditional};

// A point of the own side as the side sees it, for either side.
Square FromOwnSide(Color color, int file, int rank) {
  const Square square = MakeSquare(file, rank);
  return color == Color::kRed ? square : Turned(square);
}

int Draw(Random& random, int from, int to) {
  const uint64_t count = static_cast<uint64_t>(to - from) + 1;
  return from + static_cast<int>(random.Below(count));
}

void ComposePawns(Random& random, Color color, Position* position) {
  const int files = Draw(random, 1, 3);
  int chosen[3];
  for (int& file : chosen) {
    file = Draw(random, 0, kFiles - 1);
  }
  for (int i = 0; i < UnitCount(PieceType::kPawn); ++i) {
    const int file = chosen[Draw(random, 0, files - 1)];
    // Pawns at home have not left the files that they started on.
    const int lowest = file % 2 == 0 ? 3 : 5;
    const Square square = FromOwnSide(color, file, Draw(random, lowest, 9));
    if (position->is_empty(square)) {
      position->PlaceUnit(color, PieceType::kPawn, square);
    }
  }
}

void ComposePairs(Random& random, Color color, Position* position) {
  constexpr struct {
    int file;
    int rank;
  } kAdvisors[] = {{3, 0}, {5, 0}, {4, 1}, {3, 2}, {5, 2}},
    kBishops[] = {{2, 0}, {6, 0}, {0, 2}, {4, 2}, {8, 2}, {2, 4}, {6, 4}};
  const auto place = [&](PieceType type, Square square) {
    if (position->is_empty(square)) {
      position->PlaceUnit(color, type, square);
    }
  };
  for (int i = 0; i < 2; ++i) {
    const auto advisor = kAdvisors[Draw(random, 0, 4)];
    const auto bishop = kBishops[Draw(random, 0, 6)];
    place(PieceType::kAdvisor, FromOwnSide(color, advisor.file, advisor.rank));
    place(PieceType::kBishop, FromOwnSide(color, bishop.file, bishop.rank));
  }
  for (const PieceType type : {PieceType::kKnight, PieceType::kRook, PieceType::kCannon}) {
    const int file = Draw(random, 0, kFiles - 1);
    for (int i = Draw(random, 0, 2); i > 0; --i) {
      const int own_file = Draw(random, 0, 3) == 0 ? Draw(random, 0, kFiles - 1) : file;
      place(type, MakeSquare(own_file, Draw(random, 0, kRanks - 1)));
    }
  }
}

// Whether a game could have come here, as far as ParseFen asks.
bool IsGood(const Position& position) { return ParseFen(FormatFen(position)).ok(); }

Position Composed(Random& random) {
  for (;;) {
    Position position;
    for (const Color color : {Color::kRed, Color::kBlack}) {
      position.PlaceUnit(color, PieceType::kKing,
                         FromOwnSide(color, Draw(random, 3, 5), Draw(random, 0, 2)));
    }
    for (const Color color : {Color::kRed, Color::kBlack}) {
      ComposePawns(random, color, &position);
      ComposePairs(random, color, &position);
    }
    position.set_side_to_move(Draw(random, 0, 1) == 0 ? Color::kRed : Color::kBlack);
    if (IsGood(position)) {
      return position;
    }
  }
}

}  // namespace

void ExpectRoundTrips(const Position& position) {
  MoveList moves;
  GenerateLegal(position, &moves);
  std::string text;
  for (const Notation notation : kNotations) {
    const MoveTextOptions options = {.rank_base = notation == Notation::kFairy ? RankBase::kOne
                                                                               : RankBase::kZero};
    for (const Move move : moves) {
      text.clear();
      AppendMove(position, move, notation, &text);
      const absl::StatusOr<Move> read = ReadMove(position, text, options);
      ASSERT_TRUE(read.ok()) << FormatFen(position) << ": " << read.status();
      ASSERT_EQ(read->bits(), move.bits()) << FormatFen(position) << ": " << text;
    }
  }
}

void ExpectRoundTripsInRandomPlay(uint64_t seed, int positions) {
  constexpr int kLongestGame = 150;
  Random random(seed);
  Position position = Position::Start();
  for (int i = 0, ply = 0; i < positions; ++i, ++ply) {
    MoveList moves;
    GenerateLegal(position, &moves);
    if (moves.size == 0 || ply == kLongestGame) {
      position = Position::Start();
      ply = 0;
      GenerateLegal(position, &moves);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectRoundTrips(position));
    position.Make(moves[Draw(random, 0, moves.size - 1)]);
  }
}

void ExpectRoundTripsInComposedPositions(uint64_t seed, int positions) {
  Random random(seed);
  for (int i = 0; i < positions; ++i) {
    ASSERT_NO_FATAL_FAILURE(ExpectRoundTrips(Composed(random)));
  }
}

}  // namespace chuhe
