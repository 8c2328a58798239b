// Reads the moves that a GUI sends, which may count ranks from 0 or from 1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/board/position.h"
#include "engine/rules/notation/coordinates.h"

namespace chuhe {

struct MoveListReading {
  std::vector<Move> moves;  // legal one after the other; those in front of the first fault
  RankBase base = RankBase::kZero;
  std::string fault;  // which move was not played and why; empty: none
};

// One meaning of ranks for the whole list: the one under which more moves are legal, and
// `preferred` where both get equally far.
MoveListReading ReadMoveList(const Position& start, std::span<const std::string> words,
                             RankBase preferred);

// Alternatives in one position rather than a sequence: those that are legal there, in order.
std::vector<Move> ReadAlternatives(const Position& position, std::span<const std::string> words,
                                   RankBase preferred);

}  // namespace chuhe
