// The repetition judge: who, if anyone, loses by a loop of moves.
//
// A chase has one of two ranks. It is *direct* when every move makes a capture possible that was
// not possible before, always of the same victim; it is *indirect* when some of the moves only
// take away the victim's protection. When both sides chase, the one with the higher rank loses.
#pragma once

#include "engine/rules/verdict.h"

namespace chuhe {

class Game;

// Judges plies first + 1 to game.plies() under the game's rule set. The positions after `first`
// plies and now must be the same, with no capture between. Never undecided.
Verdict JudgeLoop(const Game& game, int first);

}  // namespace chuhe
