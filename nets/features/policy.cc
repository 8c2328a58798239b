#include "nets/features/policy.h"

#include "nets/features/move_shape.h"

namespace chuhe {
namespace {

constexpr int kFirstAdvisorShape = 42;
constexpr int kFirstBishopShape = 46;

constexpr bool IsInOwnPalace(Square square) {
  return FileOf(square) >= 3 && FileOf(square) <= 5 && RankOf(square) <= 2;
}

// The seven points that bishops can stand on: c0, g0, a2, e2, i2, c4, g4.
constexpr bool IsBishopPoint(Square square) {
  const int file = FileOf(square);
  const int rank = RankOf(square);
  return rank <= 4 && rank % 2 == 0 && file % 2 == 0 && (file + rank) % 4 == 2;
}

constexpr bool CanEverGo(Square from, Square to, int shape) {
  if (shape < 0) return false;
  if (shape < kFirstAdvisorShape) return true;
  // Advisors stand on the corners and the centre of the palace: every diagonal step there has the
  // centre at one end.
  constexpr Square kPalaceCentre = MakeSquare(4, 1);
  if (shape < kFirstBishopShape) {
    return IsInOwnPalace(from) && IsInOwnPalace(to) &&
           (from == kPalaceCentre || to == kPalaceCentre);
  }
  return IsBishopPoint(from) && IsBishopPoint(to);
}

constexpr PolicyTables MakeTables() {
  PolicyTables tables{};
  for (int16_t& index : tables.index) index = -1;
  int count = 0;
  for (int from = 0; from < kSquares; ++from) {
    for (int to = 0; to < kSquares; ++to) {
      const Move move(static_cast<Square>(from), static_cast<Square>(to));
      const int shape = ShapeBetween(from, to);
      if (!CanEverGo(move.from(), move.to(), shape)) continue;
      tables.index[move.bits()] = static_cast<int16_t>(count);
      tables.shape[move.bits()] = static_cast<uint8_t>(shape);
      tables.move_bits[count] = move.bits();
      ++count;
    }
  }
  return tables;
}

}  // namespace

constexpr PolicyTables kPolicyTables = MakeTables();

static_assert(kPolicyTables.index[Move(89, 88).bits()] == kPolicyMoves - 1);

}  // namespace chuhe
