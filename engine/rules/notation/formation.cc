#include "engine/rules/notation/formation.h"

#include <cassert>
#include <cstdlib>

namespace chuhe {
namespace {

// The board as the side sees it whose men move up from rank 0; for Black it is turned.
Square Seen(Color side, Square square) { return side == Color::kRed ? square : Turned(square); }

int OwnFile(Square seen) { return kFiles - FileOf(seen); }

// Whether the number behind a direction names the target file even when the man goes up or down.
bool NumberIsFile(PieceType type) {
  return type == PieceType::kAdvisor || type == PieceType::kBishop || type == PieceType::kKnight;
}

}  // namespace

const Standing& Formation::ManOf(Unit unit) const {
  int i = 0;
  while (i < size - 1 && men[i].unit != unit) {
    ++i;
  }
  assert(size > 0 && men[i].unit == unit);
  return men[i];
}

Formation FormationOf(const Position& position, PieceType type) {
  const Color side = position.side_to_move();
  const Unit first = FirstUnit(side, type);
  Formation formation;
  for (int i = 0; i < UnitCount(type); ++i) {
    const auto unit = static_cast<Unit>(first + i);
    const Square square = position.square_of(unit);
    if (square == kNoSquare) {
      continue;
    }
    const Square seen = Seen(side, square);
    Standing& man = formation.men[formation.size++];
    man.unit = unit;
    man.file = static_cast<uint8_t>(OwnFile(seen));
    man.rank = static_cast<uint8_t>(RankOf(seen));
  }
  uint8_t men_on[kFiles + 1] = {};
  for (const Standing& man : formation) {
    ++men_on[man.file];
  }
  for (const uint8_t count : men_on) {
    formation.tandem_files += count > 1 ? 1 : 0;
  }
  for (int i = 0; i < formation.size; ++i) {
    Standing& man = formation.men[i];
    man.on_file = men_on[man.file];
    man.from_front = 1;
    man.tandem_order = man.on_file > 1 ? 1 : 0;
    for (const Standing& other : formation) {
      const bool in_front = other.file == man.file && other.rank > man.rank;
      const bool further_right = other.file < man.file && men_on[other.file] > 1;
      if (in_front) {
        ++man.from_front;
      }
      if (man.on_file > 1 && (in_front || further_right)) {
        ++man.tandem_order;
      }
    }
  }
  return formation;
}

Motion MotionOf(const Position& position, Move move) {
  const Color side = position.side_to_move();
  const PieceType type = TypeOf(position.unit_at(move.from()));
  const Square from = Seen(side, move.from());
  const Square to = Seen(side, move.to());
  const int ranks = RankOf(to) - RankOf(from);
  Motion motion;
  motion.direction = ranks > 0   ? Direction::kForward
                     : ranks < 0 ? Direction::kBack
                                 : Direction::kSideways;
  const bool is_file = ranks == 0 || NumberIsFile(type);
  motion.number = static_cast<uint8_t>(is_file ? OwnFile(to) : std::abs(ranks));
  return motion;
}

Square TargetOf(const Position& position, const Standing& man, const Motion& motion) {
  const Color side = position.side_to_move();
  const PieceType type = TypeOf(man.unit);
  const bool sideways = motion.direction == Direction::kSideways;
  int file = man.file;
  int ranks = 0;
  if (NumberIsFile(type)) {
    file = motion.number;
    const int files = std::abs(file - man.file);
    if (sideways || files == 0 || files > 2) {
      return kNoSquare;
    }
    ranks = type == PieceType::kKnight ? 3 - files : files;
  } else if (sideways) {
    file = motion.number;
  } else {
    ranks = motion.number;
  }
  const int rank = motion.direction == Direction::kBack ? man.rank - ranks : man.rank + ranks;
  if (rank < 0 || rank >= kRanks || (ranks == 0 && file == man.file)) {
    return kNoSquare;
  }
  return Seen(side, MakeSquare(kFiles - file, rank));
}

}  // namespace chuhe
