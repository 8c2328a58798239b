// Game records and numbers about them as text, for `chuhe games`.
#pragma once

#include <string>

#include "engine/rules/notation/notation.h"
#include "selfplay/records/game_record.h"
#include "selfplay/records/game_statistics.h"

namespace chuhe {

// Lines for people.
std::string StatisticsText(const GameStatistics& statistics);
// One JSON object with the same numbers (docs/formats.md).
std::string StatisticsJson(const GameStatistics& statistics);

// The game's facts, then a line for each ply: number, move, chances of the side to move in percent,
// and what the search liked best.
std::string GameText(const GameRecord& record, Notation notation);

}  // namespace chuhe
