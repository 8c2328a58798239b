#include "engine/board/names.h"

namespace chuhe {

std::string NameOf(Color color) { return color == Color::kRed ? "Red" : "Black"; }

std::string NameOf(PieceType type) {
  constexpr const char* kNames[kPieceTypes] = {"king", "advisor", "bishop", "knight",
                                               "rook", "cannon",  "pawn"};
  return kNames[Index(type)];
}

std::string SquareName(Square square) {
  return {static_cast<char>('a' + FileOf(square)), static_cast<char>('0' + RankOf(square))};
}

std::optional<PieceType> PieceTypeOfLetter(char letter) {
  switch (letter) {
    case 'K':
    case 'k':
    case 'G':
    case 'g':
      return PieceType::kKing;
    case 'A':
    case 'a':
      return PieceType::kAdvisor;
    case 'B':
    case 'b':
    case 'E':
    case 'e':
      return PieceType::kBishop;
    case 'N':
    case 'n':
    case 'H':
    case 'h':
    case 'M':
    case 'm':
      return PieceType::kKnight;
    case 'R':
    case 'r':
      return PieceType::kRook;
    case 'C':
    case 'c':
      return PieceType::kCannon;
    case 'P':
    case 'p':
      return PieceType::kPawn;
    default:
      return std::nullopt;
  }
}

}  // namespace chuhe
