// Whether the program of an engine is there: a name that was mistyped should end the match before
// it begins, not lose all its games.
#pragma once

#include "absl/status/status.h"
#include "selfplay/match/engine_spec.h"

namespace chuhe {

// NotFound, with the engine and the program, if there is nothing to execute: no such file where the
// command has a slash (as seen from the engine's directory), none in the folders of PATH where it
// has not, or no such directory. What comes of starting it only a start can tell. Built-in engines
// have no program.
absl::Status CheckEngineProgram(const EngineSpec& engine);

}  // namespace chuhe
