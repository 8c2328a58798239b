#include "nets/features/packed_position.h"

#include <algorithm>

#include "nets/features/policy.h"

namespace chuhe {
namespace {

void Order(uint8_t* a, uint8_t* b) {
  const uint8_t low = std::min(*a, *b);
  *b = std::max(*a, *b);
  *a = low;
}

// Sorts the points of one side's units kind by kind, without branches: a pair is one comparison,
// five pawns are the nine of the shortest network (Knuth, The Art of Computer Programming
// 3, 5.3.4).
void SortKinds(uint8_t* side) {
  for (int pair = 1; pair < FirstUnit(Color::kRed, PieceType::kPawn); pair += 2) {
    Order(&side[pair], &side[pair + 1]);
  }
  constexpr uint8_t kNetwork[9][2] = {{0, 1}, {3, 4}, {2, 4}, {2, 3}, {1, 4},
                                      {0, 3}, {0, 2}, {1, 3}, {1, 2}};
  uint8_t* const pawns = side + FirstUnit(Color::kRed, PieceType::kPawn);
  for (const auto& [a, b] : kNetwork) Order(&pawns[a], &pawns[b]);
}

uint8_t Level(int count, int lowest, int highest) {
  return static_cast<uint8_t>(std::clamp(count, lowest, highest));
}

Square MirroredOrNone(Square square) { return square == kNoSquare ? kNoSquare : Mirrored(square); }

}  // namespace

PackedPosition Pack(const EvaluationRequest& request) {
  const Position& position = request.position;
  const Color us = position.side_to_move();
  const Color them = Opponent(us);
  PackedPosition packed;
  for (int i = 0; i < kUnitsPerSide; ++i) {
    packed.squares[i] = position.square_of(static_cast<Unit>(Index(us) * kUnitsPerSide + i));
    packed.squares[kUnitsPerSide + i] =
        position.square_of(static_cast<Unit>(Index(them) * kUnitsPerSide + i));
  }
  if (us == Color::kBlack) {
    for (uint8_t& square : packed.squares) {
      square = square == kNoSquare ? kNoSquare : Turned(square);
    }
  }
  SortKinds(packed.squares);
  SortKinds(packed.squares + kUnitsPerSide);
  for (int i = 0; i < kRecentPlies; ++i) {
    const Move move = request.recent[i];
    const Move seen = move ? SeenBy(us, move) : Move(kNoSquare, kNoSquare);
    packed.recent[i][0] = seen.from();
    packed.recent[i][1] = seen.to();
  }
  packed.occurrences = Level(request.occurrences, 1, 3);
  packed.no_capture_plies = Level(request.no_capture_plies, 0, kMaxNoCapturePlies);
  packed.own_checks = Level(request.checks_in_a_row[Index(us)], 0, kMaxChecksInARow);
  packed.opponent_checks = Level(request.checks_in_a_row[Index(them)], 0, kMaxChecksInARow);
  return packed;
}

PackedPosition Mirror(const PackedPosition& packed) {
  PackedPosition mirrored = packed;
  for (uint8_t& square : mirrored.squares) square = MirroredOrNone(square);
  SortKinds(mirrored.squares);
  SortKinds(mirrored.squares + kUnitsPerSide);
  for (auto& [from, to] : mirrored.recent) {
    from = MirroredOrNone(from);
    to = MirroredOrNone(to);
  }
  return mirrored;
}

}  // namespace chuhe
