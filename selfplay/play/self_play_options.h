// The settings of self-play: how games begin, how moves are searched and chosen, how games end.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/options.h"
#include "engine/rules/rule_set.h"

namespace chuhe {

struct SelfPlayOptions {
  RuleSet rules = RuleSet::kComputer;
  // Of one worker, played at the same time; also the batch of its evaluator.
  int games = 32;

  // Search. Some moves are searched with all visits and teach the policy; the others, fast ones,
  // get on with the game (playout-cap randomisation: Wu 2019, section 3.1).
  int visits = 64;
  int fast_visits = 16;
  double full_share = 0.4;
  // The root by sequential halving (engine/search/gumbel.h), else PUCT with noise.
  bool gumbel = true;
  int sampled_moves = 16;
  double value_scale = 1;
  // Of PUCT alone.
  double forced_visits = 2;
  double noise_share = 0.25;
  double noise_concentration = 10;

  // Choice of moves: the temperature begins at the first value and approaches the second one.
  double temperature = 1;
  double final_temperature = 0.1;
  int temperature_halving = 20;

  // Openings.
  std::string openings;
  double openings_share = 0.5;
  double random_share = 0.4;
  int random_plies = 4;
  double policy_share = 0.4;
  int policy_plies = 8;
  double odds_share = 0;
  int odds_men = 3;

  double fork_share = 0.05;
  int fork_plies = 60;
  double fork_margin = 0.3;

  bool resign = true;
  double resign_value = -0.85;
  int resign_moves = 3;
  double resign_audit = 0.1;
  double resign_wrong = 0.05;
  int resign_min_games = 50;

  int ply_cap = 400;
  int early_ply_cap = 200;
  int64_t early_games = 5000;
  bool adjudicate = true;
  double adjudication_margin = 6;
  double adjudication_audit = 0.1;
};

// Declares all of them as `selfplay.KEY`.
void AddSelfPlayOptions(OptionTable* table, SelfPlayOptions* options);

}  // namespace chuhe
