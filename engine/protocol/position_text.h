// The position as text, and its moves counted: what people and scripts ask an engine for by hand.
#pragma once

#include <functional>
#include <string>

#include "engine/rules/game.h"
#include "engine/rules/notation/coordinates.h"

namespace chuhe {

// `d`: the board as letters, rank 9 first, then the FEN and the key.
std::string BoardLines(const Game& game);

// `go perft N`: for each legal move the number of move sequences that begin with it, then their
// sum. Blocks until they are counted or `must_stop`, asked every second or so, is true; then there
// is no sum.
std::string PerftLines(const Position& position, int depth, RankBase squares,
                       const std::function<bool()>& must_stop);

}  // namespace chuhe
