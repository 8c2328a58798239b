// Words for what is wrong with a move text.
#pragma once

#include <string>
#include <string_view>

#include "engine/board/position.h"
#include "engine/rules/notation/schools.h"
#include "engine/rules/notation/symbols.h"

namespace chuhe {

// `line 2, column 7`, both from 1, the column in characters.
std::string PlaceInText(std::string_view text, size_t offset);

// Text from outside between quotes: cut short, control characters and broken UTF-8 made visible.
std::string QuotedText(std::string_view text);

// Why a move given by squares is illegal here.
std::string WhyIllegal(const Position& position, Move move);

// Why no move fits the symbols, or which ones fit equally well.
std::string WhyIllegal(const Position& position, const MoveSymbols& symbols,
                       const SymbolsMatch& match);

}  // namespace chuhe
