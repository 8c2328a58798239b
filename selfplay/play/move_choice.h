// What a finished search of self-play comes to: the policy to learn and the move to play.
#pragma once

#include <vector>

#include "engine/base/random.h"
#include "engine/search/tree_search.h"
#include "selfplay/play/self_play_options.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

struct ChosenMove {
  Move move;
  bool is_drawn = false;  // by chance; it is not the best one
};

// Falls from `temperature` to `final_temperature` by halves.
double TemperatureAt(const SelfPlayOptions& options, int ply);

// All of these need the root's evaluation; the search was made by a plan where options.gumbel is
// on.

// The target: the improved policy, or visits less those that were forced; where a win is certain
// the quickest one alone, and no certain losses beside other moves. Moves with less than 1/2,000
// are left out. Never empty.
std::vector<MoveWeight> PolicyTarget(const SelfPlayOptions& options, const TreeSearch& search);

// The move. With sequential halving its sampled choice is taken with a chance of `temperature`,
// else the best move; with PUCT moves are drawn by their visits to the power of 1/temperature.
// Certain results are not left to chance.
ChosenMove ChooseMove(const SelfPlayOptions& options, const TreeSearch& search, double temperature,
                      Random* random);

// Another good move than `played`, to branch off with; no move if there is none.
Move ChooseFork(const SelfPlayOptions& options, const TreeSearch& search, Move played,
                Random* random);

// What the search thinks of the position, from the side to move: with sequential halving the mean
// of the values by the improved policy, else that of all visits.
Wdl RootChances(const SelfPlayOptions& options, const TreeSearch& search);

}  // namespace chuhe
