#include "engine/eval/evaluator.h"

namespace chuhe {
namespace {

// How many moves in a row of the side that made this ply gave check, this one included.
int ChecksUpTo(const Game& game, int ply) {
  int count = 0;
  while (count < kMaxChecksInARow && ply >= 1 && game.gave_check(ply)) {
    ++count;
    ply -= 2;
  }
  return count;
}

}  // namespace

void EvaluationRequest::SetPosition(const Game& game) {
  position = game.position();
  no_capture_plies = game.no_capture_plies();
  occurrences = 1;
  while (game.PliesSinceOccurrence(occurrences) != 0) ++occurrences;
  const int plies = game.plies();
  for (int i = 0; i < kRecentPlies; ++i) recent[i] = i < plies ? game.move(plies - i) : Move();
  const Color side = position.side_to_move();
  checks_in_a_row[Index(Opponent(side))] = ChecksUpTo(game, plies);
  checks_in_a_row[Index(side)] = ChecksUpTo(game, plies - 1);
}

}  // namespace chuhe
