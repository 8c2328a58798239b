// Games at random for the tests of nets/features: many kinds of positions with a history, with
// repetitions, checks, and counters up to and beyond the limit.
#pragma once

#include <cstdint>

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/eval/evaluator.h"
#include "engine/rules/game.h"

namespace chuhe {

// Owned by one thread.
class RandomGames {
 public:
  explicit RandomGames(uint64_t seed);

  const Game& game() const { return game_; }
  // Goes on to another position: a move, or where a game is over the start of another, from the
  // start position or from men on random points. Returns the move, no move for a new start.
  Move Next();

  // The question about where the game stands, with its legal moves.
  EvaluationRequest Question() const;

 private:
  Game RandomStart();
  Move RandomMove(const MoveList& moves);

  Random random_;
  Game game_;
};

// The same position seen in a mirror, and turned by half with colours changed.
Position MirroredPosition(const Position& position);
Position TurnedPosition(const Position& position);

}  // namespace chuhe
