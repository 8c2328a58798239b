// The notation of the World Xiangqi Federation, in its classic form (docs/notation.md).
#pragma once

#include <string>

#include "engine/board/position.h"
#include "engine/rules/notation/formation.h"
#include "engine/rules/notation/symbols.h"

namespace chuhe {

// How this school names a man: R+ R- for two on a file; pawns P+ P3 P- for three, ++ P+ P- -- for
// four, ++ P+ P3 P- -- for five; with pawn tandems on two files 3+ 33 3-; else letter and file.
ManName WxfName(const Formation& formation, const Standing& man);

// Appends a move of the side to move, C2.5; capital letters for both sides.
void AppendWxf(const Position& position, Move move, std::string* text);

}  // namespace chuhe
