// The Chinese notation as the game records of the association write it (docs/notation.md).
#pragma once

#include <string>

#include "engine/board/position.h"
#include "engine/rules/notation/formation.h"
#include "engine/rules/notation/symbols.h"

namespace chuhe {

// How this school names a man: 前/后, 前中后, 前二三四(五) on one file; with pawn tandems on two
// files the which-word and the file, 前三; else the piece and the file.
ManName ChineseName(const Formation& formation, const Standing& man);

// Appends a move of the side to move in simplified characters, 炮二平五 or 炮２平５ for Black, or
// in traditional ones.
void AppendChinese(const Position& position, Move move, bool traditional, std::string* text);

}  // namespace chuhe
