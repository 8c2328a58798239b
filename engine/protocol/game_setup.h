// Makes a game of what a `position` command says.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/protocol/command.h"
#include "engine/protocol/move_list.h"
#include "engine/rules/game.h"
#include "engine/rules/rule_set.h"

namespace chuhe {

struct GameSetup {
  FenRecord start;
  MoveListReading list;

  Game MakeGame(RuleSet rules) const;
};

// The start position of a new process.
GameSetup StartSetup();

// The setup that leads to such a game.
GameSetup SetupOf(const Game& game);

// An error for a FEN that is none; moves that cannot be played end the list without one.
absl::StatusOr<GameSetup> ReadSetup(const PositionCommand& command, RankBase preferred);

}  // namespace chuhe
