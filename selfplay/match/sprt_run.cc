#include "selfplay/match/sprt_run.h"

#include "selfplay/match/standings.h"

namespace chuhe {

void SprtRun::Add(const PlayedGame& played) {
  OpenPair& pair = open_[played.game.pair];
  ++pair.games;
  pair.half_points += HalfPoints(played, 0);
  while (!is_decided()) {
    const auto next = open_.find(pairs_);
    if (next == open_.end() || next->second.games < 2) return;
    ++counts_.pairs[next->second.half_points];
    ++pairs_;
    open_.erase(next);
    state_ = EvaluateSprt(options_, counts_);
  }
}

}  // namespace chuhe
