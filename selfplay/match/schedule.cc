#include "selfplay/match/schedule.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "selfplay/match/swiss_pairing.h"

namespace chuhe {
namespace {

using Meeting = std::pair<int, int>;

// Makes pairs of games of meetings and numbers them.
class Numbering {
 public:
  explicit Numbering(int games) : pairs_per_meeting_((games + 1) / 2) {}
  int pairs_per_meeting() const { return pairs_per_meeting_; }

  // All meetings once with each of the openings from `opening` on, so that the table is even at any
  // time.
  std::vector<ScheduledGame> Games(const std::vector<Meeting>& meetings, int round, int opening) {
    std::vector<ScheduledGame> games;
    for (int i = 0; i < pairs_per_meeting_; ++i) {
      for (const auto& [first, second] : meetings) {
        for (const auto& [red, black] : {Meeting(first, second), Meeting(second, first)}) {
          games.push_back({.index = index_++,
                           .round = round,
                           .pair = pair_,
                           .opening = opening + i,
                           .red = red,
                           .black = black});
        }
        ++pair_;
      }
    }
    return games;
  }

 private:
  const int pairs_per_meeting_;
  int index_ = 0;
  int pair_ = 0;
};

// Everybody against everybody, in an order in which nobody has to wait long (circle method).
std::vector<Meeting> AllMeetings(int players) {
  const int seats = players + players % 2;
  std::vector<Meeting> meetings;
  for (int round = 0; round + 1 < seats; ++round) {
    for (int table = 0; table < seats / 2; ++table) {
      const auto seat = [&](int i) { return i == 0 ? 0 : 1 + (i - 1 + round) % (seats - 1); };
      const int a = seat(table);
      const int b = seat(seats - 1 - table);
      if (a < players && b < players) meetings.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
  return meetings;
}

// All meetings are known beforehand.
class FixedSchedule : public Schedule {
 public:
  FixedSchedule(std::vector<Meeting> meetings, int games)
      : meetings_(std::move(meetings)), numbering_(games) {}

  std::vector<ScheduledGame> NextRound(const std::vector<PlayedGame>& /*played*/) override {
    return std::exchange(done_, true) ? std::vector<ScheduledGame>()
                                      : numbering_.Games(meetings_, 0, 0);
  }

 private:
  std::vector<Meeting> meetings_;
  Numbering numbering_;
  bool done_ = false;
};

// Those with like points meet; nobody meets twice while it can be helped.
class SwissSchedule : public Schedule {
 public:
  SwissSchedule(int players, int games, int rounds)
      : players_(players),
        rounds_(rounds),
        numbering_(games),
        bye_points_(static_cast<size_t>(players)) {}

  std::vector<ScheduledGame> NextRound(const std::vector<PlayedGame>& played) override {
    if (round_ == rounds_) return {};
    // A match that is resumed knows games of later rounds, too.
    std::vector<PlayedGame> before;
    for (const PlayedGame& game : played) {
      if (game.game.round < round_) before.push_back(game);
    }
    std::vector<int> order;
    for (const PlayerStanding& player :
         MakeStandings(players_, before, TieBreak::kBuchholz, bye_points_).table) {
      order.push_back(player.player);
    }
    if (order.size() % 2 != 0) LeaveOneOut(&order);
    const std::vector<Meeting> meetings = PairNeighbours(order, met_);
    for (const auto& [first, second] : meetings) met_.insert(std::minmax(first, second));
    const int round = round_++;
    return numbering_.Games(meetings, round, round * numbering_.pairs_per_meeting());
  }

  Standings Table(int players, const std::vector<PlayedGame>& played) const override {
    return MakeStandings(players, played, TieBreak::kBuchholz, bye_points_);
  }

 private:
  // Who sits out gets the points of a meeting that is won, as over the board. It is one who has not
  // yet; of those one whose absence costs the others the fewest rematches; of those the last.
  void LeaveOneOut(std::vector<int>* order) {
    std::vector<int> candidates;
    for (auto player = order->rbegin(); player != order->rend(); ++player) {
      if (!sat_out_.contains(*player)) candidates.push_back(*player);
    }
    if (candidates.empty()) candidates.assign(order->rbegin(), order->rend());
    const auto rematches = [&](int player) {
      std::vector<int> others = *order;
      std::erase(others, player);
      return FewestRematches(others, met_);
    };
    const int sits = *std::min_element(
        candidates.begin(), candidates.end(),
        [&](int first, int second) { return rematches(first) < rematches(second); });
    sat_out_.insert(sits);
    bye_points_[static_cast<size_t>(sits)] += 2 * numbering_.pairs_per_meeting();
    std::erase(*order, sits);
  }

  const int players_;
  const int rounds_;
  Numbering numbering_;
  int round_ = 0;
  MetPairs met_;
  std::set<int> sat_out_;
  std::vector<double> bye_points_;
};

// Neighbours on a ladder meet; whoever wins from below takes the place above. The first player
// begins on top.
class LadderSchedule : public Schedule {
 public:
  LadderSchedule(int players, int games, int rounds) : rounds_(rounds), numbering_(games) {
    for (int i = 0; i < players; ++i) rungs_.push_back(i);
  }

  std::vector<ScheduledGame> NextRound(const std::vector<PlayedGame>& played) override {
    Climb(played);
    if (round_ == rounds_) return {};
    meetings_.clear();
    // Of two players there is just one meeting, in each round.
    const size_t lowest = rungs_.size() > 2 ? static_cast<size_t>(round_ % 2) : 0;
    for (size_t i = lowest; i + 1 < rungs_.size(); i += 2) {
      meetings_.emplace_back(rungs_[i], rungs_[i + 1]);
    }
    const int round = round_++;
    return numbering_.Games(meetings_, round, round * numbering_.pairs_per_meeting());
  }

  Standings Table(int players, const std::vector<PlayedGame>& played) const override {
    Standings standings = MakeStandings(players, played, TieBreak::kSonnebornBerger);
    OrderBy(rungs_, &standings);
    return standings;
  }

 private:
  void Climb(const std::vector<PlayedGame>& played) {
    std::vector<PlayedGame> last;
    for (const PlayedGame& game : played) {
      if (game.game.round == round_ - 1) last.push_back(game);
    }
    const Standings standings =
        MakeStandings(static_cast<int>(rungs_.size()), last, TieBreak::kSonnebornBerger);
    for (const auto& [above, below] : meetings_) {
      if (standings.Games(below, above).score() <= 0.5) continue;
      std::iter_swap(std::find(rungs_.begin(), rungs_.end(), above),
                     std::find(rungs_.begin(), rungs_.end(), below));
    }
  }

  const int rounds_;
  Numbering numbering_;
  std::vector<int> rungs_;
  std::vector<Meeting> meetings_;
  int round_ = 0;
};

// Board by board: the k-th player of a team meets the k-th of each other team.
absl::StatusOr<std::vector<Meeting>> TeamMeetings(const ScheduleOptions& options) {
  std::vector<std::vector<int>> teams(options.teams.empty() ? 1 : 0);
  for (int player = 0; player < static_cast<int>(options.teams.size()); ++player) {
    if (options.teams[player] < 0 || options.teams[player] >= options.players) {
      return absl::InvalidArgumentError(
          absl::StrCat("no team ", options.teams[player], "; they are counted from 0"));
    }
    const auto team = static_cast<size_t>(options.teams[player]);
    if (team >= teams.size()) teams.resize(team + 1);
    teams[team].push_back(player);
  }
  for (const std::vector<int>& team : teams) {
    if (teams.size() < 2 || team.size() != teams[0].size()) {
      return absl::InvalidArgumentError("a team match needs two teams or more, all of one size");
    }
  }
  std::vector<Meeting> meetings;
  for (const auto& [first, second] : AllMeetings(static_cast<int>(teams.size()))) {
    for (size_t board = 0; board < teams[0].size(); ++board) {
      meetings.emplace_back(teams[first][board], teams[second][board]);
    }
  }
  return meetings;
}

// Enough rounds that one player alone can have won all of them.
int RoundsFor(const ScheduleOptions& options) {
  if (options.rounds > 0) return options.rounds;
  if (options.format == MatchFormat::kLadder) return options.players;
  int rounds = 1;
  while ((1 << rounds) < options.players) ++rounds;
  return rounds;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Schedule>> MakeSchedule(const ScheduleOptions& options) {
  if (options.players < 2) return absl::InvalidArgumentError("a match needs two engines or more");
  switch (options.format) {
    case MatchFormat::kRoundRobin:
      return std::make_unique<FixedSchedule>(AllMeetings(options.players), options.games);
    case MatchFormat::kGauntlet: {
      std::vector<Meeting> meetings;
      for (int other = 1; other < options.players; ++other) meetings.emplace_back(0, other);
      return std::make_unique<FixedSchedule>(meetings, options.games);
    }
    case MatchFormat::kSwiss:
      return std::make_unique<SwissSchedule>(options.players, options.games, RoundsFor(options));
    case MatchFormat::kLadder:
      return std::make_unique<LadderSchedule>(options.players, options.games, RoundsFor(options));
    case MatchFormat::kTeams: {
      absl::StatusOr<std::vector<Meeting>> meetings = TeamMeetings(options);
      if (!meetings.ok()) return meetings.status();
      return std::make_unique<FixedSchedule>(*std::move(meetings), options.games);
    }
  }
  return absl::InvalidArgumentError("no such format");
}

TieBreak TieBreakOf(MatchFormat format) {
  return format == MatchFormat::kSwiss ? TieBreak::kBuchholz : TieBreak::kSonnebornBerger;
}

Standings MatchTable(const ScheduleOptions& options, const std::vector<PlayedGame>& played) {
  const bool goes_by_rounds =
      options.format == MatchFormat::kSwiss || options.format == MatchFormat::kLadder;
  const absl::StatusOr<std::unique_ptr<Schedule>> schedule = MakeSchedule(options);
  if (!goes_by_rounds || !schedule.ok()) {
    return MakeStandings(options.players, played, TieBreakOf(options.format));
  }
  // As far as the rounds are complete.
  std::set<int> known;
  for (const PlayedGame& game : played) known.insert(game.game.index);
  const auto is_known = [&](const ScheduledGame& game) { return known.contains(game.index); };
  std::vector<ScheduledGame> round;
  do {
    round = (*schedule)->NextRound(played);
  } while (!round.empty() && std::all_of(round.begin(), round.end(), is_known));
  return (*schedule)->Table(options.players, played);
}

absl::StatusOr<MatchFormat> ParseFormat(absl::string_view name) {
  for (const MatchFormat format :
       {MatchFormat::kRoundRobin, MatchFormat::kGauntlet, MatchFormat::kSwiss, MatchFormat::kLadder,
        MatchFormat::kTeams}) {
    if (absl::AsciiStrToLower(name) == FormatName(format)) return format;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "'", name, "' is no format: roundrobin, gauntlet, swiss, ladder or teams expected"));
}

absl::string_view FormatName(MatchFormat format) {
  switch (format) {
    case MatchFormat::kRoundRobin:
      return "roundrobin";
    case MatchFormat::kGauntlet:
      return "gauntlet";
    case MatchFormat::kSwiss:
      return "swiss";
    case MatchFormat::kLadder:
      return "ladder";
    case MatchFormat::kTeams:
      return "teams";
  }
  return "";
}

}  // namespace chuhe
