// Which move a text in symbols means: the legal moves are asked, school by school, whether the text
// describes them.
//
// Schools differ only in how they name a man of a tandem (docs/notation.md). The school that we
// write comes first, then XQWizard's numbering of tandem pawns, then every other usage together.
#pragma once

#include <cstdint>

#include "engine/board/position.h"
#include "engine/rules/notation/symbols.h"

namespace chuhe {

// What keeps a text from being a legal move, from the least to the most that is right about it.
enum class MoveFault : uint8_t {
  kNone,
  kNoSuchMan,   // the side to move has no man of that name, or none on that point
  kNotItsMove,  // such a man never moves like that
  kBlocked,     // it could, but for other men: one in the way, no screen to jump, an own man there
  kLeavesKing,  // its own king would be attacked
  kAmbiguous,   // several legal moves fit equally well
};

struct SymbolsMatch {
  MoveFault fault = MoveFault::kNoSuchMan;
  // The move when there is no fault, else one that has the fault, where squares are known.
  Move move;
  int candidate_count = 0;
  Move candidates[5];  // the legal moves that fit, one for each man at most
};

SymbolsMatch MatchSymbols(const Position& position, const MoveSymbols& symbols);

// What is wrong with a move by squares; kNone for a legal one.
MoveFault FaultOf(const Position& position, Move move);

}  // namespace chuhe
