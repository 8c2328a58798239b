// Games that run in circles, made at random, and the symmetries under which verdicts must hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/position.h"
#include "engine/rules/game.h"

namespace chuhe {

// A start and moves, the last of which repeats the start for the second time: the start position
// occurs three times.
struct LoopGame {
  Position start;
  std::vector<Move> moves;
};

// A random position with few men, legal as FEN sees it.
Position RandomPlacement(Random& random);

// A loop of two or four moves a side from a random placement, twice around; nothing when none was
// found there. Moves that check or attack, and answers that get out of the way, are preferred.
std::optional<LoopGame> RandomLoop(Random& random);

// The verdict at the end of the game.
Verdict JudgeGame(const LoopGame& loop, RuleSet rules);

// Colours exchanged and the board turned by half; left–right mirrored.
LoopGame TurnedGame(const LoopGame& loop);
LoopGame MirroredGame(const LoopGame& loop);

// The same behind one more ply, a capture that leads to the start; nothing if none could be found.
std::optional<LoopGame> WithCaptureBefore(const LoopGame& loop, Random& random);

Outcome TurnedOutcome(Outcome outcome);
// A description as it reads with colours and squares turned.
std::string TurnedText(const std::string& text);

}  // namespace chuhe
