// What a match has come to so far, for people who watch it: one line for each engine, best first,
// and the games that are being played.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "selfplay/match/match.h"

namespace chuhe {

// A heading, at most `most_rows` engines with games, wins, draws, losses, Elo with its 95 %
// interval and likelihood of superiority, and the state of a sequential test if there is one. Of
// more than two engines Elo is that of the score against all that were met. No line has an end.
std::vector<std::string> LiveTable(const MatchOptions& options,
                                   const std::vector<PlayedGame>& games,
                                   const std::optional<SprtState>& sprt, size_t most_rows);

// `game 13: A - B, ply 45`, one for each.
std::vector<std::string> UnderWayTexts(const MatchOptions& options,
                                       const std::vector<Match::GameUnderWay>& games);

}  // namespace chuhe
