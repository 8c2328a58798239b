// Who plays whom, when, with which colours and from which opening.
//
// Every meeting is one or more pairs of games: the same opening twice, colours swapped. Schedules
// depend on nothing but the results of the rounds before, so that a resumed match goes the same
// way.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/match/played_game.h"
#include "selfplay/match/standings.h"

namespace chuhe {

enum class MatchFormat { kRoundRobin, kGauntlet, kSwiss, kLadder, kTeams };

struct ScheduleOptions {
  MatchFormat format = MatchFormat::kRoundRobin;
  int players = 2;
  // Games of each meeting, rounded up to pairs.
  int games = 2;
  // Of Swiss and ladder; 0: enough to find the best of all.
  int rounds = 0;
  std::vector<int> teams;  // of each player, from 0; for team matches
};

// Owned by one thread.
class Schedule {
 public:
  virtual ~Schedule() = default;
  // The games of the next round, once all games of the rounds before are known. Empty: the end.
  virtual std::vector<ScheduledGame> NextRound(const std::vector<PlayedGame>& played) = 0;
  // The table, as this kind of match makes it: a Swiss one with what sitting out has earned so far,
  // a ladder in the order of its rungs.
  virtual Standings Table(int players, const std::vector<PlayedGame>& played) const {
    return MakeStandings(players, played, TieBreak::kSonnebornBerger);
  }
};

// Errors: fewer than two players; team matches without two teams of equal size at least.
absl::StatusOr<std::unique_ptr<Schedule>> MakeSchedule(const ScheduleOptions& options);

// The table of a match, over or under way, whose games so far these are.
Standings MatchTable(const ScheduleOptions& options, const std::vector<PlayedGame>& played);
// What tells players with equal points apart: Sonneborn–Berger, or Buchholz where not everybody
// meets everybody.
TieBreak TieBreakOf(MatchFormat format);

absl::StatusOr<MatchFormat> ParseFormat(absl::string_view name);
absl::string_view FormatName(MatchFormat format);

}  // namespace chuhe
