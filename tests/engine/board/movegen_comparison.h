// Randomised comparison of the fast move generator with the reference board, along games.
//
// The two boards are played side by side, so that make is compared as well as the lists.
#pragma once

#include <cstdint>

namespace chuhe {

// How the moves of a game are chosen. The hunters take a move of their kind, where there is one,
// nine times out of ten.
enum class PlayStyle { kUniform, kCaptureHunter, kCheckHunter, kMixed };

struct ComparisonPlan {
  uint64_t seed = 0;
  int positions = 0;
  PlayStyle style = PlayStyle::kUniform;
  // Start from random men on random points they can stand on, often crowded around the kings,
  // instead of from the start position.
  bool composed = false;
};

// Compares in as many positions; stops at the first mismatch and fails the test with its FEN.
void CompareWithReference(const ComparisonPlan& plan);

}  // namespace chuhe
