// The table of a team match: who won more boards of a meeting makes two points, who won as many
// one.
#pragma once

#include <vector>

#include "selfplay/match/played_game.h"

namespace chuhe {

struct TeamStanding {
  int team = 0;
  int place = 1;  // shared by teams whom nothing tells apart
  // A team match is all games of two teams: 2 for the better one, 1 each if they are level, else 0.
  int match_points = 0;
  int matches = 0;
  int won = 0;
  int level = 0;
  int lost = 0;
  double board_points = 0;  // of all games, 1, 1/2 or 0
};

// Best first: by match points, then by board points. `teams` has the team of each player. Team
// matches of which no game was played count for nobody.
std::vector<TeamStanding> MakeTeamStandings(const std::vector<int>& teams,
                                            const std::vector<PlayedGame>& games);

}  // namespace chuhe
