// Moving questions and answers between requests. A request is about 1 KB, most of it room for moves
// and priors that are not there: only what is used is copied.
#pragma once

#include <algorithm>

#include "engine/eval/evaluator.h"

namespace chuhe {

inline void CopyQuestion(const EvaluationRequest& from, EvaluationRequest* to) {
  to->position = from.position;
  to->occurrences = from.occurrences;
  to->no_capture_plies = from.no_capture_plies;
  std::copy_n(from.recent, kRecentPlies, to->recent);
  std::copy_n(from.checks_in_a_row, 2, to->checks_in_a_row);
  to->moves.size = from.moves.size;
  std::copy_n(from.moves.moves, from.moves.size, to->moves.moves);
}

// Both ask the same.
inline void CopyAnswer(const EvaluationRequest& from, EvaluationRequest* to) {
  std::copy_n(from.priors, from.moves.size, to->priors);
  to->wdl = from.wdl;
  to->plies_left = from.plies_left;
}

}  // namespace chuhe
