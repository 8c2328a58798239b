#include "tests/nets/features/drawn_planes.h"

#include <set>

#include "nets/features/packed_position.h"
#include "nets/features/planes.h"
#include "tests/engine/board/drawn_board.h"

namespace chuhe {

std::vector<uint8_t> LevelsOf(const EvaluationRequest& request) {
  std::vector<uint8_t> levels(kSquares * kPlanes, 77);
  ExpandPlanes(Pack(request), levels.data());
  return levels;
}

EvaluationRequest Question(std::string_view drawing, Color side) {
  EvaluationRequest request;
  request.position = DrawnBoard(drawing, side);
  return request;
}

std::vector<uint8_t> LevelsOf(std::string_view drawing, Color side) {
  return LevelsOf(Question(drawing, side));
}

std::string Picture(const std::vector<uint8_t>& levels, int plane) {
  std::string text;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    text += '\n';
    for (int file = 0; file < kFiles; ++file) {
      const int level = levels[static_cast<size_t>(MakeSquare(file, rank) * kPlanes + plane)];
      text += level == 0 ? '.' : level == 40 ? '1' : level == 80 ? '2' : level == 120 ? 'x' : '?';
    }
  }
  return text;
}

std::string Drawn(std::string_view drawing) {
  std::string text;
  int points = 0;
  for (const char letter : drawing) {
    if (letter == ' ' || letter == '\n') continue;
    if (points++ % kFiles == 0) text += '\n';
    text += letter;
  }
  return text;
}

std::string PointsOf(const std::vector<uint8_t>& levels, int plane) {
  std::string text;
  for (int square = 0; square < kSquares; ++square) {
    if (levels[static_cast<size_t>(square * kPlanes + plane)] == 0) continue;
    if (!text.empty()) text += ' ';
    text += TextOf(static_cast<Square>(square));
  }
  return text;
}

int LevelEverywhere(const std::vector<uint8_t>& levels, int plane) {
  std::set<int> found;
  for (size_t square = 0; square < kSquares; ++square) {
    found.insert(levels[square * kPlanes + static_cast<size_t>(plane)]);
  }
  return found.size() == 1 ? *found.begin() : -1;
}

}  // namespace chuhe
