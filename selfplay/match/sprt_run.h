// A sequential test over the games of a match as they end.
//
// Games that are played side by side end in any order, and short ones first. So that the decision
// depends on results alone, pairs count in the order of the schedule, without gaps.
#pragma once

#include <map>

#include "selfplay/match/played_game.h"
#include "selfplay/match/sprt.h"

namespace chuhe {

// Of engine 0 against engine 1. Owned by one thread.
class SprtRun {
 public:
  explicit SprtRun(const SprtOptions& options)
      : options_(options), state_(EvaluateSprt(options, counts_)) {}

  void Add(const PlayedGame& played);

  const SprtState& state() const { return state_; }
  bool is_decided() const { return state_.decision != SprtDecision::kContinue; }
  // How many pairs count: once decided, those up to the decision.
  int pairs() const { return pairs_; }
  const PairCounts& counts() const { return counts_; }

 private:
  struct OpenPair {
    int games = 0;
    int half_points = 0;
  };

  SprtOptions options_;
  std::map<int, OpenPair> open_;  // by number
  PairCounts counts_;
  int pairs_ = 0;
  SprtState state_;
};

}  // namespace chuhe
