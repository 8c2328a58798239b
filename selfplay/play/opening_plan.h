// How a game of self-play begins: variety before the first search.
//
//   start position, or that with odds, ─► random moves ─► moves drawn by the policy ─► search
//   or one of a file
#pragma once

#include <cstdint>
#include <vector>

#include "engine/base/random.h"
#include "engine/board/position.h"
#include "engine/search/tree_search.h"
#include "selfplay/match/openings.h"
#include "selfplay/play/self_play_options.h"

namespace chuhe {

// Of one game; the same for the same seed.
struct OpeningPlan {
  Position start = Position::Start();
  const Opening* opening = nullptr;  // of the file, whose start that is; null: none
  int random_plies = 0;
  int policy_plies = 0;

  int plies() const {
    const int known = opening == nullptr ? 0 : static_cast<int>(opening->moves.size());
    return known + random_plies + policy_plies;
  }
  // Plies from the start of the game that need no evaluation.
  int blind_plies() const { return plies() - policy_plies; }
};

OpeningPlan PlanOpening(const SelfPlayOptions& options, const std::vector<Opening>& openings,
                        uint64_t seed);

// The start position without some of the men: of each side any number up to `most`, drawn at
// random, and at least one man in all. Nobody is in check, and kings stay.
Position DrawOdds(int most, Random* random);

// A legal move after which the game goes on, each with the same chance; no move if all of them end
// the game.
Move DrawRandomMove(Game* game, Random* random);
// The same by the network's policy. Needs the root's evaluation.
Move DrawPolicyMove(const TreeSearch& search, Random* random);

}  // namespace chuhe
