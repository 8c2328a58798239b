#include "selfplay/match/team_standings.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "selfplay/match/standings.h"

namespace chuhe {

std::vector<TeamStanding> MakeTeamStandings(const std::vector<int>& teams,
                                            const std::vector<PlayedGame>& games) {
  std::vector<TeamStanding> table;
  for (const int team : teams) {
    while (team >= static_cast<int>(table.size())) {
      table.push_back({.team = static_cast<int>(table.size())});
    }
  }
  // Half points of both sides by the teams, the lower number first.
  std::map<std::pair<int, int>, std::pair<int, int>> matches;
  for (const PlayedGame& played : games) {
    const int red = teams[static_cast<size_t>(played.game.red)];
    const int black = teams[static_cast<size_t>(played.game.black)];
    const int red_halves = HalfPoints(played, played.game.red);
    const int black_halves = HalfPoints(played, played.game.black);
    table[static_cast<size_t>(red)].board_points += 0.5 * red_halves;
    table[static_cast<size_t>(black)].board_points += 0.5 * black_halves;
    auto& [first, second] = matches[std::minmax(red, black)];
    (red < black ? first : second) += red_halves;
    (red < black ? second : first) += black_halves;
  }
  for (const auto& [pair, halves] : matches) {
    const auto count = [&](int team, int own, int other) {
      TeamStanding& row = table[static_cast<size_t>(team)];
      ++row.matches;
      ++(own > other ? row.won : own == other ? row.level : row.lost);
      row.match_points += own > other ? 2 : own == other ? 1 : 0;
    };
    count(pair.first, halves.first, halves.second);
    count(pair.second, halves.second, halves.first);
  }
  const auto rank = [](const TeamStanding& row) {
    return std::tuple(-row.match_points, -row.board_points);
  };
  std::stable_sort(table.begin(), table.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  for (size_t i = 0; i < table.size(); ++i) {
    const bool is_shared = i > 0 && rank(table[i]) == rank(table[i - 1]);
    table[i].place = is_shared ? table[i - 1].place : static_cast<int>(i) + 1;
  }
  return table;
}

}  // namespace chuhe
