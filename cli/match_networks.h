// The match runner's players that are networks.
#pragma once

#include "selfplay/match/builtin_players.h"

namespace chuhe {

// Makes `net:FILE:VISITS` and `net:FILE:VISITS:PRECISION`; the file `default` is the one that comes
// with the program. Players of one file and precision, as long as there are any, have their
// positions evaluated together, one evaluator for each core (selfplay/match/shared_evaluator.h).
// Thread-safe, also its copies. Errors name the command.
BuiltinFactory MakeNetworkPlayers();

}  // namespace chuhe
