// The Chinese rules (CXA) on loops: kills, joint chases and mixtures are forbidden as well.
//
// Every move has one nature, the gravest that fits: check, kill (it threatens mate by checks
// alone), chase (it makes a capture possible that wins material, exchanges played out), or idle.
// A loop of one side is forbidden when none of its moves is idle. docs/rules.md says how far this
// goes and what is beyond it.
#pragma once

#include "engine/rules/verdict.h"

namespace chuhe {

class Game;

// Judges a loop in which no single side checks on every move, as JudgeLoop() does.
Verdict JudgeForbiddenLoops(const Game& game, int first);

}  // namespace chuhe
