#include "engine/protocol/game_setup.h"

#include <utility>

#include "engine/base/status_macros.h"

namespace chuhe {

Game GameSetup::MakeGame(RuleSet rules) const {
  Game game(start.position, {.rules = rules, .no_capture_plies = start.halfmove});
  for (const Move move : list.moves) {
    game.Make(move);
  }
  return game;
}

GameSetup StartSetup() {
  GameSetup setup;
  setup.start.position = Position::Start();
  return setup;
}

GameSetup SetupOf(const Game& game) {
  GameSetup setup;
  setup.start.position = game.PositionAt(0);
  setup.start.halfmove = game.options().no_capture_plies;
  for (int ply = 1; ply <= game.plies(); ++ply) {
    setup.list.moves.push_back(game.move(ply));
  }
  return setup;
}

absl::StatusOr<GameSetup> ReadSetup(const PositionCommand& command, RankBase preferred) {
  GameSetup setup = StartSetup();
  if (command.fen) {
    CHUHE_ASSIGN_OR_RETURN(setup.start, ParseFen(*command.fen));
  }
  setup.list = ReadMoveList(setup.start.position, command.moves, preferred);
  return setup;
}

}  // namespace chuhe
