// The match runner's players that are networks.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "engine/search/tree_search.h"
#include "nets/weights/architecture.h"
#include "selfplay/match/builtin_players.h"
#include "selfplay/match/engine_spec.h"

namespace chuhe {

// How networks of that shape are searched, unless an engine's options say otherwise.
TreeSearchOptions MatchSearchOptions(const Architecture& architecture);

// Makes `net:FILE:VISITS` and `net:FILE:VISITS:PRECISION`; the file `default` is the one that comes
// with the program, options are constants of the search (engine/search/search_constants.h). Players
// of one file and precision, as long as there are any, have their positions evaluated together, one
// evaluator for each core (selfplay/match/shared_evaluator.h). Thread-safe, also its copies. Errors
// name the command or the option.
BuiltinFactory MakeNetworkPlayers();

// The same for these engines. Their files are read now and kept for as long as there are copies of
// the factory, so that all games have the same networks whatever becomes of the files; the specs
// get the files' hashes. Errors name the engine.
absl::StatusOr<BuiltinFactory> MakeNetworkPlayersOf(std::vector<EngineSpec>* engines);

}  // namespace chuhe
