// Game records with everything in them, for tests.
#pragma once

#include <cstdint>

#include "selfplay/records/game_record.h"

namespace chuhe::testing {

// A game of random legal moves with random thoughts: searched plies with policies, fast ones
// without, and plies without search. It ends by the rules or at a cap of `ply_cap` plies, and
// equals what its bytes say: chances are multiples of 1/10,000, policies in the order of their
// moves.
GameRecord RandomRecord(uint64_t seed, int ply_cap = 60);

// Whether two records say the same.
bool SameRecord(const GameRecord& a, const GameRecord& b);

}  // namespace chuhe::testing
