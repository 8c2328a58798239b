#include "engine/board/position.h"

#include <algorithm>
#include <iterator>

namespace chuhe {

Position::Position() {
  std::fill(std::begin(points_), std::end(points_), kNoUnit);
  std::fill(std::begin(square_of_), std::end(square_of_), kNoSquare);
}

Position Position::Start() {
  constexpr PieceType kBackRank[kFiles] = {
      PieceType::kRook,    PieceType::kKnight, PieceType::kBishop,
      PieceType::kAdvisor, PieceType::kKing,   PieceType::kAdvisor,
      PieceType::kBishop,  PieceType::kKnight, PieceType::kRook};
  Position position;
  for (const Color color : {Color::kRed, Color::kBlack}) {
    const auto place = [&](PieceType type, int file, int rank) {
      position.PlaceUnit(color, type,
                         MakeSquare(file, color == Color::kRed ? rank : kRanks - 1 - rank));
    };
    for (int file = 0; file < kFiles; ++file) place(kBackRank[file], file, 0);
    for (const int file : {1, 7}) place(PieceType::kCannon, file, 2);
    for (int file = 0; file < kFiles; file += 2) place(PieceType::kPawn, file, 3);
  }
  return position;
}

int Position::count(Color color, PieceType type) const {
  int count = 0;
  const Unit first = FirstUnit(color, type);
  for (int i = 0; i < UnitCount(type); ++i) count += square_of_[first + i] != kNoSquare;
  return count;
}

uint64_t Position::ComputeKey() const {
  uint64_t key = side_ == Color::kBlack ? kZobrist.black_to_move : 0;
  for (int unit = 0; unit < kUnits; ++unit) {
    key ^= kZobrist.men[kKindOfUnit[unit]][square_of_[unit]];
  }
  return key;
}

void Position::SwitchSide() {
  side_ = Opponent(side_);
  key_ ^= kZobrist.black_to_move;
}

void Position::set_side_to_move(Color color) {
  if (side_ != color) SwitchSide();
}

bool Position::PlaceUnit(Color color, PieceType type, Square square) {
  if (!is_empty(square)) return false;
  const Unit first = FirstUnit(color, type);
  for (int i = 0; i < UnitCount(type); ++i) {
    const Unit unit = static_cast<Unit>(first + i);
    if (square_of_[unit] != kNoSquare) continue;
    points_[kMargin + square] = unit;
    square_of_[unit] = square;
    occupied_[Index(color)] ^= kSquareBits[square];
    key_ ^= kZobrist.men[kKindOfUnit[unit]][square];
    return true;
  }
  return false;
}

bool operator==(const Position& a, const Position& b) {
  if (a.side_ != b.side_) return false;
  return std::equal(std::begin(a.points_), std::end(a.points_), std::begin(b.points_),
                    [](Unit x, Unit y) { return kKindOfUnit[x] == kKindOfUnit[y]; });
}

}  // namespace chuhe
