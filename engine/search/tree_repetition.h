// What the rules of repetition decide at a node of the tree search.
#pragma once

#include "engine/rules/game.h"
#include "engine/rules/verdict.h"

namespace chuhe {

struct RepetitionRuling {
  Outcome outcome = Outcome::kUndecided;
  // By a second occurrence: true as long as the root stays where it is. Otherwise by the third.
  bool is_twofold = false;
};

// `depth` is the number of plies from the root to where the game stands.
//
// A third occurrence, counted over game and tree, gets the judge's verdict. So does a second one
// where the first lies below the root, since whoever could do better the next time could have done
// so at once. But a loss for either side is taken from a second occurrence only if nothing else can
// come before the third:
//   - the limit without capture is not reached,
//   - the position before this one was the same the first time,
//   - no position inside the loop has already occurred twice.
// The game is the same afterwards.
RepetitionRuling JudgeRepetitionInTree(Game* game, int depth);

}  // namespace chuhe
