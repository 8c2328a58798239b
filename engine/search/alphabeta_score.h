// The scale of the alpha-beta search's scores, in hundredths of a pawn for the side to move.
//
//   0 … kMaxEvaluation    what the evaluation says
//   kRuleWin − ply        won by the rules of repetition: decided, but no mate
//   kMate − ply           mate (or stalemate) on that ply of the searched path
#pragma once

namespace chuhe {

inline constexpr int kMaxEvaluation = 10000;
inline constexpr int kRuleWin = 20000;
inline constexpr int kMate = 30000;
inline constexpr int kInfiniteScore = 32000;

// The longest path from the root that is searched.
inline constexpr int kMaxPly = 128;

constexpr bool IsMateScore(int score) {
  return score >= kMate - kMaxPly || score <= -kMate + kMaxPly;
}
// Scores that count plies: mates and games decided by rule.
constexpr bool IsDecisiveScore(int score) {
  return score > kMaxEvaluation || score < -kMaxEvaluation;
}

}  // namespace chuhe
