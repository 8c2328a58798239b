// Names of questions to an evaluator, short enough to look answers up by.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/eval/evaluator.h"

namespace chuhe {

// 128 bits, well mixed. Two different questions share a key with a chance of 2^-128: among 10^9
// kept answers, 10^12 look-ups meet a wrong one with a chance below 10^-17. 64 bits would make that
// a matter of course.
struct QuestionKey {
  uint64_t low = 0;
  uint64_t high = 0;

  friend bool operator==(const QuestionKey&, const QuestionKey&) = default;
};

// For what decides an answer beside the question: a text that names the network, the rule set and
// the precision.
QuestionKey SaltOf(std::string_view text);

// Takes in all that an evaluator may look at: board by kinds of men, side to move, last plies,
// occurrences (at most 3), counted plies without capture (at most 120) and checks in a row. Units
// of a kind may change places. The legal moves follow from the board.
QuestionKey KeyOf(const EvaluationRequest& request, const QuestionKey& salt);

}  // namespace chuhe
