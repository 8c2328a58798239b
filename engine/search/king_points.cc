#include "engine/search/king_points.h"

#include <cstdlib>

namespace chuhe {
namespace {

Bitboard PointsOf(Square king) {
  const Point king_point = kPoints[king];
  Bitboard points;
  for (int s = 0; s < kSquares; ++s) {
    const Point point = kPoints[s];
    const bool is_on_line = point.file == king_point.file || point.rank == king_point.rank;
    const bool is_leg =
        std::abs(point.file - king_point.file) == 1 && std::abs(point.rank - king_point.rank) == 1;
    if (is_on_line || is_leg) points |= kSquareBits[s];
  }
  return points;
}

}  // namespace

const std::array<Bitboard, kSquares> kKingPoints = [] {
  std::array<Bitboard, kSquares> points;
  for (int s = 0; s < kSquares; ++s) points[s] = PointsOf(static_cast<Square>(s));
  return points;
}();

}  // namespace chuhe
