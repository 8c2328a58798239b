// Writes games as PGN that other programs read.
#pragma once

#include <string>

#include "engine/rules/notation/notation.h"
#include "selfplay/records/pgn_game.h"

namespace chuhe {

// `[Game "Chinese Chess"]`, the game's tags, then Result, FEN (of games that do not start as
// usual), Format and PlyCount, which the game decides and its tags need not hold; the moves with
// their comments in braces, lines at most 80 bytes wide where words allow; an empty line. Notation
// is kIccs, kWxf, kChinese or kTraditional. UTF-8.
std::string WritePgn(const PgnGame& game, Notation notation);

}  // namespace chuhe
