#include "selfplay/match/standings.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace chuhe {
namespace {

double RedPoints(const GameResult& result) {
  return result.outcome == GameOutcome::kRedWins ? 1
         : result.outcome == GameOutcome::kDraw  ? 0.5
                                                 : 0;
}

void Count(double points, GameCounts* counts) {
  ++(points == 1 ? counts->wins : points == 0 ? counts->losses : counts->draws);
}

// Over the moves of which the engine reported its time.
struct ReportedTime {
  int64_t measured_us = 0;
  int64_t reported_us = 0;
  int64_t plies = 0;
};

void AddTime(const PlayedGame& played, Color color, PlayerStanding* player,
             ReportedTime* reported) {
  Position position = played.opening.start;
  const bool red_begins =
      (position.side_to_move() == Color::kRed) == (played.opening.moves.size() % 2 == 0);
  const size_t first = red_begins == (color == Color::kRed) ? 0 : 1;
  for (size_t i = first; i < played.result.plies.size(); i += 2) {
    player->seconds += static_cast<double>(played.result.plies[i].elapsed_us) / 1e6;
    ++player->plies;
  }
  reported->measured_us += played.result.measured_us[Index(color)];
  reported->reported_us += played.result.reported_us[Index(color)];
  reported->plies += played.result.reported_plies[Index(color)];
}

void AddTieBreaks(const std::vector<PlayedGame>& games, TieBreak tie_break,
                  std::vector<PlayerStanding>* players) {
  for (const PlayedGame& played : games) {
    PlayerStanding& red = (*players)[played.game.red];
    PlayerStanding& black = (*players)[played.game.black];
    const double points = RedPoints(played.result);
    const bool all = tie_break == TieBreak::kBuchholz;
    red.tie_break += (all ? 1 : points) * black.points;
    black.tie_break += (all ? 1 : 1 - points) * red.points;
  }
}

void SetPlaces(std::vector<PlayerStanding>* table) {
  const auto key = [](const PlayerStanding& p) {
    return std::make_tuple(-p.points, -p.tie_break, p.violations);
  };
  std::stable_sort(table->begin(), table->end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  for (size_t i = 0; i < table->size(); ++i) {
    const bool is_shared = i > 0 && key((*table)[i]) == key((*table)[i - 1]);
    (*table)[i].place = is_shared ? (*table)[i - 1].place : static_cast<int>(i) + 1;
  }
}

void AddPairs(const std::vector<PlayedGame>& games, Standings* standings) {
  std::map<int, std::vector<const PlayedGame*>> by_pair;
  for (const PlayedGame& played : games) by_pair[played.game.pair].push_back(&played);
  for (const auto& [pair, both] : by_pair) {
    if (both.size() != 2) continue;
    for (const int first : {both[0]->game.red, both[0]->game.black}) {
      const int second = both[0]->game.red + both[0]->game.black - first;
      const int halves = HalfPoints(*both[0], first) + HalfPoints(*both[1], first);
      ++standings->pairs[{first, second}].pairs[halves];
    }
  }
}

}  // namespace

int HalfPoints(const PlayedGame& played, int engine) {
  const double red = RedPoints(played.result);
  return static_cast<int>(std::lround(2 * (played.game.red == engine ? red : 1 - red)));
}

const GameCounts& Standings::Games(int first, int second) const {
  static const GameCounts kNone;
  const auto found = games.find({first, second});
  return found == games.end() ? kNone : found->second;
}

const PairCounts& Standings::Pairs(int first, int second) const {
  static const PairCounts kNone;
  const auto found = pairs.find({first, second});
  return found == pairs.end() ? kNone : found->second;
}

Standings MakeStandings(int players, const std::vector<PlayedGame>& games, TieBreak tie_break,
                        const std::vector<double>& bye_points) {
  Standings standings;
  std::vector<PlayerStanding>& table = standings.table;
  table.resize(static_cast<size_t>(players));
  std::vector<ReportedTime> reported(table.size());
  int64_t runner_us = 0;
  int64_t runner_plies = 0;
  for (int i = 0; i < players; ++i) table[i].player = i;
  for (size_t i = 0; i < bye_points.size(); ++i) {
    table[i].bye_points = bye_points[i];
    table[i].points = bye_points[i];
  }
  for (const PlayedGame& played : games) {
    const double points = RedPoints(played.result);
    const int red = played.game.red;
    const int black = played.game.black;
    table[red].points += points;
    table[black].points += 1 - points;
    Count(points, &table[red].counts);
    Count(points, &table[red].as_red);
    Count(1 - points, &table[black].counts);
    Count(points, &standings.games[{red, black}]);
    Count(1 - points, &standings.games[{black, red}]);
    table[red].violations += played.result.violations[0];
    table[black].violations += played.result.violations[1];
    AddTime(played, Color::kRed, &table[red], &reported[red]);
    AddTime(played, Color::kBlack, &table[black], &reported[black]);
    ++standings.reasons[played.result.reason];
    if (played.result.audited.has_value()) {
      ++standings.audits;
      standings.audits_wrong += *played.result.audited != played.result.outcome;
    }
    runner_us += played.result.runner_us;
    runner_plies += played.result.runner_plies;
  }
  for (PlayerStanding& player : table) {
    const ReportedTime& time = reported[player.player];
    if (time.plies == 0) continue;
    player.overhead_ms = static_cast<double>(time.measured_us - time.reported_us) / 1000 /
                         static_cast<double>(time.plies);
  }
  if (runner_plies > 0) {
    standings.runner_us_per_ply =
        static_cast<double>(runner_us) / static_cast<double>(runner_plies);
  }
  AddTieBreaks(games, tie_break, &table);
  SetPlaces(&table);
  AddPairs(games, &standings);
  return standings;
}

void OrderBy(const std::vector<int>& players, Standings* standings) {
  const auto rank = [&](const PlayerStanding& standing) {
    return std::find(players.begin(), players.end(), standing.player) - players.begin();
  };
  std::vector<PlayerStanding>& table = standings->table;
  std::sort(table.begin(), table.end(),
            [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  for (size_t i = 0; i < table.size(); ++i) table[i].place = static_cast<int>(i) + 1;
}

}  // namespace chuhe
