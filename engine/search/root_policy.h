// What self-play wants at the root besides the search itself: visits that noise forces on moves,
// and how they are taken out again before the visits become a target for the policy.
//
// Wu 2019, "Accelerating Self-Play Learning in Go", section 3.2: forced playouts and policy target
// pruning.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/search/puct.h"
#include "engine/search/tree.h"

namespace chuhe {

// How many visits a root move that was tried at all must have: sqrt(k · prior · visits), where
// `root_visits` are those of all root moves.
float ForcedVisits(float k, uint16_t prior, uint32_t root_visits);

// Weights of the root moves for a policy target, in their order, not normalised: their visits less
// those that only the forcing of `k` explains. The most visited move keeps all; another one loses
// as many as it was forced to have at most, and no more than leave its PUCT score below that of the
// most visited; what is left with one visit is dropped. Moves that lose for certain get nothing
// beside others, and where some win for certain, the quickest of those gets everything.
//
// `moves` are TreeSearch::RootMoves(), `root` is its root_edge().
std::vector<float> PruneForcedVisits(std::span<const Edge> moves, const Edge& root,
                                     const PuctOptions& options, float k);

}  // namespace chuhe
