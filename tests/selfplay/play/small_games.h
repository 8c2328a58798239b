// Settings of games that take a test little time, and networks to play them with.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "engine/eval/simple_evaluators.h"
#include "selfplay/play/self_play_runner.h"

namespace chuhe::testing {

inline SelfPlayOptions SmallGames() {
  SelfPlayOptions options;
  options.games = 4;
  options.visits = 8;
  options.fast_visits = 2;
  options.sampled_moves = 4;
  options.ply_cap = 40;
  options.early_ply_cap = 40;
  return options;
}

// A name as networks have.
inline std::string NetworkName(char digit) { return std::string(64, digit); }

template <typename Made = HashEvaluator>
PlayingNetwork NetworkNamed(char digit) {
  return {NetworkName(digit), [] { return std::make_unique<Made>(); }};
}

}  // namespace chuhe::testing
