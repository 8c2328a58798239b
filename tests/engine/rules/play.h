// Games set up from text, for the tests of engine/rules.
#pragma once

#include <string>
#include <string_view>

#include "engine/rules/game.h"

namespace chuhe {

// Plays moves such as "h2e2 h9g7" from a FEN. Text that is not so, or an illegal move, fails the
// test.
Game PlayGame(std::string_view fen, std::string_view moves, RuleSet rules = RuleSet::kComputer);

// `outcome: reason` as Describe() writes it.
std::string JudgedText(const Game& game);

}  // namespace chuhe
