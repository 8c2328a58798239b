// The crosstable: points, tie-breaks, and who scored what against whom.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "selfplay/match/played_game.h"
#include "selfplay/match/statistics.h"

namespace chuhe {

// How players with equal points are told apart, before the number of violations: by the points of
// those that they beat (小分, Sonneborn–Berger) or by the points of all that they met (对手分,
// Buchholz).
enum class TieBreak { kSonnebornBerger, kBuchholz };

struct PlayerStanding {
  int player = 0;
  int place = 1;  // shared by players whom nothing tells apart
  double points = 0;
  double bye_points = 0;  // of those, for rounds in which the player sat out
  double tie_break = 0;
  int violations = 0;
  GameCounts counts;
  GameCounts as_red;
  // Time on the clock, and how much of it was not the engine's own by its own account.
  double seconds = 0;
  int64_t plies = 0;
  double overhead_ms = 0;  // a move, over those of which the engine reported its time
};

struct Standings {
  std::vector<PlayerStanding> table;  // best first
  // From the first player's view.
  std::map<std::pair<int, int>, GameCounts> games;
  std::map<std::pair<int, int>, PairCounts> pairs;  // complete pairs of one opening
  std::map<std::string, int> reasons;
  int audits = 0;
  int audits_wrong = 0;  // games that ended otherwise than adjudicated
  double runner_us_per_ply = 0;

  const GameCounts& Games(int first, int second) const;
  const PairCounts& Pairs(int first, int second) const;
};

// Half points, 0 to 2, that an engine made of a game that it played.
int HalfPoints(const PlayedGame& played, int engine);

// `bye_points`, of each player or empty: what sitting out earned. They count as points, also of
// those that others met, and add nothing to the player's own tie-break.
Standings MakeStandings(int players, const std::vector<PlayedGame>& games, TieBreak tie_break,
                        const std::vector<double>& bye_points = {});
// Places by this order of players instead, best first.
void OrderBy(const std::vector<int>& players, Standings* standings);

}  // namespace chuhe
