#include "engine/search/tree_repetition.h"

#include <vector>

#include "engine/rules/judge.h"

namespace chuhe {
namespace {

// Whether the position has occurred exactly `length` plies ago.
bool HasOccurred(const Game& game, int length) {
  for (int occurrence = 1;; ++occurrence) {
    const int since = game.PliesSinceOccurrence(occurrence);
    if (since == length) return true;
    if (since == 0 || since > length) return false;
  }
}

// Whether a win or loss by the last `length` plies holds although the third occurrence is still to
// come.
bool IsForeseeable(Game* game, int length) {
  if (game->no_capture_plies() >= NoCaptureLimit(game->options().rules)) return false;
  std::vector<Move> moves;  // newest first
  const auto step_back = [&] {
    moves.push_back(game->move(game->plies()));
    game->Unmake();
  };
  step_back();
  bool holds = HasOccurred(*game, length);
  while (holds && static_cast<int>(moves.size()) < length - 1) {
    step_back();
    holds = game->PliesSinceOccurrence() == 0;
  }
  for (; !moves.empty(); moves.pop_back()) game->Make(moves.back());
  return holds;
}

}  // namespace

RepetitionRuling JudgeRepetitionInTree(Game* game, int depth) {
  const int length = game->PliesSinceOccurrence();
  if (length == 0) return {};
  if (const Verdict verdict = game->JudgeRepetition(); verdict.outcome != Outcome::kUndecided) {
    return {verdict.outcome, false};
  }
  if (length >= depth) return {};
  const Verdict verdict = JudgeLoop(*game, game->plies() - length);
  if (verdict.outcome != Outcome::kDraw && !IsForeseeable(game, length)) return {};
  return {verdict.outcome, true};
}

}  // namespace chuhe
