// Makes lists of openings from real games: what is often played and a search finds level.
#pragma once

#include <vector>

#include "selfplay/match/openings.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

struct OpeningChoice {
  int plies = 8;
  int min_games = 10;  // in which the position occurs after so many plies
  int depth = 6;       // of the search, which must find it within so many centipawns of level
  int max_cp = 40;
  int count = 200;  // at most
};

// Of games from the start position; positions that are mirror images count as one, in the order of
// moves that comes first in the list. The most frequent ones first.
std::vector<Opening> ChooseOpenings(const std::vector<GameRecord>& games,
                                    const OpeningChoice& choice);

}  // namespace chuhe
