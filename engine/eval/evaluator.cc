#include "engine/eval/evaluator.h"

namespace chuhe {

void EvaluationRequest::SetPosition(const Game& game) {
  position = game.position();
  no_capture_plies = game.no_capture_plies();
  occurrences = 1;
  while (game.PliesSinceOccurrence(occurrences) != 0) ++occurrences;
}

}  // namespace chuhe
