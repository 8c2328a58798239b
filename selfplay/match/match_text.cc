#include "selfplay/match/match_text.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "selfplay/match/rating_store.h"
#include "selfplay/match/ratings.h"
#include "selfplay/match/team_standings.h"

namespace chuhe {
namespace {

using nlohmann::json;

absl::string_view DecisionName(SprtDecision decision) {
  switch (decision) {
    case SprtDecision::kContinue:
      return "none";
    case SprtDecision::kAccept0:
      return "H0";
    case SprtDecision::kAccept1:
      return "H1";
  }
  return "";
}

std::string Elo(double elo) {
  if (std::isinf(elo)) return elo > 0 ? "+inf" : "-inf";
  return absl::StrFormat("%+.1f", elo);
}

// Of pairs where there are any; single games otherwise.
EloEstimate EstimateOf(const Standings& standings, int first, int second) {
  const PairCounts& pairs = standings.Pairs(first, second);
  return pairs.total() > 0 ? EstimateElo(pairs) : EstimateElo(standings.Games(first, second));
}

std::string CountsText(const GameCounts& counts) {
  return absl::StrFormat("+%d =%d -%d", counts.wins, counts.draws, counts.losses);
}

std::string SprtText(const SprtState& state) {
  return absl::StrFormat("LLR %.2f (%.2f, %.2f)", state.llr, state.lower_bound, state.upper_bound);
}

const std::string& NameOf(const MatchOptions& options, int engine) {
  return options.engines[static_cast<size_t>(engine)].name;
}

void AddCrosstable(const MatchOptions& options, const Standings& standings, std::string* text) {
  size_t width = 6;
  for (const EngineSpec& engine : options.engines) width = std::max(width, engine.name.size());
  const bool is_buchholz = TieBreakOf(options.schedule.format) == TieBreak::kBuchholz;
  absl::StrAppendFormat(text, "  #  %-*s %7s %6s %7s %5s  %-15s", width, "engine", "points",
                        "games", is_buchholz ? "BH" : "SB", "viol.", "+ = -");
  for (const PlayerStanding& row : standings.table) absl::StrAppendFormat(text, " %7d", row.place);
  text->push_back('\n');
  for (const PlayerStanding& row : standings.table) {
    absl::StrAppendFormat(text, "%3d  %-*s %7.1f %6d %7.2f %5d  %-15s", row.place, width,
                          NameOf(options, row.player), row.points, row.counts.games(),
                          row.tie_break, row.violations, CountsText(row.counts));
    for (const PlayerStanding& other : standings.table) {
      const GameCounts& counts = standings.Games(row.player, other.player);
      const std::string score =
          other.player == row.player || counts.games() == 0
              ? "-"
              : absl::StrFormat("%.1f", counts.score() * static_cast<double>(counts.games()));
      absl::StrAppendFormat(text, " %7s", score);
    }
    text->push_back('\n');
  }
}

void AddByes(const MatchOptions& options, const Standings& standings, std::string* text) {
  for (const PlayerStanding& row : standings.table) {
    if (row.bye_points == 0) continue;
    absl::StrAppendFormat(text, "%s sat out: %.1f of the points\n", NameOf(options, row.player),
                          row.bye_points);
  }
}

// Empty where no teams play.
std::vector<TeamStanding> TeamsOf(const MatchOptions& options,
                                  const std::vector<PlayedGame>& games) {
  if (options.schedule.format != MatchFormat::kTeams) return {};
  return MakeTeamStandings(options.schedule.teams, games);
}

std::string TeamText(const MatchOptions& options, int team) {
  std::string text = absl::StrCat("team ", team, " (");
  const char* separator = "";
  for (size_t i = 0; i < options.schedule.teams.size(); ++i) {
    if (options.schedule.teams[i] != team) continue;
    absl::StrAppend(&text, separator, options.engines[i].name);
    separator = ", ";
  }
  return text + ")";
}

void AddTeams(const MatchOptions& options, const std::vector<PlayedGame>& games,
              std::string* text) {
  for (const TeamStanding& row : TeamsOf(options, games)) {
    absl::StrAppendFormat(text,
                          "%3d  %s: %d match points of %d matches (+%d =%d -%d), %.1f boards\n",
                          row.place, TeamText(options, row.team), row.match_points, row.matches,
                          row.won, row.level, row.lost, row.board_points);
  }
}

// Of all meetings.
void AddElo(const MatchOptions& options, const Standings& standings, std::string* text) {
  for (const auto& [players, counts] : standings.games) {
    if (players.first > players.second) continue;
    const EloEstimate elo = EstimateOf(standings, players.first, players.second);
    const PairCounts& pairs = standings.Pairs(players.first, players.second);
    absl::StrAppendFormat(
        text,
        "%s - %s: %s of %d, Elo %s [%s, %s], LOS %.1f %%, draws %.1f %%, pairs [%d %d %d %d %d]\n",
        NameOf(options, players.first), NameOf(options, players.second), CountsText(counts),
        counts.games(), Elo(elo.elo), Elo(elo.lower), Elo(elo.upper), 100 * elo.superiority,
        100.0 * static_cast<double>(counts.draws) / static_cast<double>(counts.games()),
        pairs.pairs[0], pairs.pairs[1], pairs.pairs[2], pairs.pairs[3], pairs.pairs[4]);
  }
}

// One drawn game between all that met keeps the ratings finite.
absl::StatusOr<RatingList> RatingsOf(const MatchOptions& options,
                                     const std::vector<PlayedGame>& games) {
  std::vector<RatedPlayer> players;
  for (const EngineSpec& engine : options.engines) players.push_back({engine.name, engine.anchor});
  return RatePlayers(players, EncountersOf(games), {.prior_draws = 1});
}

void AddRatings(const MatchOptions& options, const MatchReport& report, std::string* text) {
  if (options.engines.size() < 3) return;
  const absl::StatusOr<RatingList> list = RatingsOf(options, report.games);
  if (!list.ok()) return;
  *text += "ratings (95 %; one drawn game is added to each meeting):\n";
  for (size_t i = 0; i < list->players.size(); ++i) {
    absl::StrAppendFormat(text, "  %s %.1f +- %.1f\n", options.engines[i].name,
                          list->players[i].elo, list->players[i].error);
  }
  absl::StrAppendFormat(text, "  first move %+.1f +- %.1f\n", list->advantage,
                        list->advantage_error);
}

void AddTimes(const MatchOptions& options, const Standings& standings, std::string* text) {
  *text += "time:";
  for (const PlayerStanding& row : standings.table) {
    const double plies = static_cast<double>(std::max<int64_t>(1, row.plies));
    absl::StrAppendFormat(text, " %s %.1f s, %.1f ms a move (%+.1f ms beyond its own count);",
                          NameOf(options, row.player), row.seconds, 1000 * row.seconds / plies,
                          row.overhead_ms);
  }
  absl::StrAppendFormat(text, " runner %.0f us a move of external engines\n",
                        standings.runner_us_per_ply);
}

json JsonNumber(double number) { return std::isfinite(number) ? json(number) : json(); }

json JsonCounts(const GameCounts& counts) {
  return {{"wins", counts.wins}, {"draws", counts.draws}, {"losses", counts.losses}};
}

json JsonPlayers(const MatchOptions& options, const MatchReport& report,
                 const Standings& standings) {
  const absl::StatusOr<RatingList> ratings = RatingsOf(options, report.games);
  json players = json::array();
  for (const PlayerStanding& row : standings.table) {
    json player = JsonCounts(row.counts);
    player["name"] = NameOf(options, row.player);
    player["place"] = row.place;
    player["points"] = row.points;
    if (row.bye_points > 0) player["bye_points"] = row.bye_points;
    player["tie_break"] = row.tie_break;
    player["violations"] = row.violations;
    player["seconds"] = row.seconds;
    player["moves"] = row.plies;
    player["overhead_ms"] = row.overhead_ms;
    if (ratings.ok()) {
      const Rating& rating = ratings->players[static_cast<size_t>(row.player)];
      player["rating"] = JsonNumber(rating.elo);
      player["rating_error"] = JsonNumber(rating.error);
    }
    players.push_back(player);
  }
  return players;
}

}  // namespace

Standings TableOf(const MatchOptions& options, const std::vector<PlayedGame>& games) {
  ScheduleOptions schedule = options.schedule;
  schedule.players = static_cast<int>(options.engines.size());
  return MatchTable(schedule, games);
}

std::string ProgressText(const MatchOptions& options, const std::vector<PlayedGame>& games,
                         const std::optional<SprtState>& sprt) {
  const int count = static_cast<int>(options.engines.size());
  const Standings standings = TableOf(options, games);
  if (count > 2) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(3, standings.table.size()); ++i) {
      absl::StrAppendFormat(&text, "%s%s %.1f", i == 0 ? "" : ", ",
                            NameOf(options, standings.table[i].player), standings.table[i].points);
    }
    return text;
  }
  const GameCounts& counts = standings.Games(0, 1);
  const auto games_played = static_cast<double>(counts.games());
  const EloEstimate elo = EstimateOf(standings, 0, 1);
  std::string text =
      absl::StrFormat("%s %.1f - %.1f %s  Elo %s [%s, %s]", NameOf(options, 0),
                      counts.score() * games_played, (1 - counts.score()) * games_played,
                      NameOf(options, 1), Elo(elo.elo), Elo(elo.lower), Elo(elo.upper));
  if (sprt.has_value()) absl::StrAppend(&text, "  ", SprtText(*sprt));
  return text;
}

std::string ReportText(const MatchOptions& options, const MatchReport& report) {
  const Standings standings = TableOf(options, report.games);
  std::string text;
  if (!report.is_complete) text += "The match is not over.\n";
  AddTeams(options, report.games, &text);
  AddCrosstable(options, standings, &text);
  AddByes(options, standings, &text);
  AddElo(options, standings, &text);
  if (report.sprt.has_value()) {
    absl::StrAppendFormat(&text, "SPRT elo0 %g elo1 %g alpha %g beta %g: %s, %s\n",
                          options.sprt->elo0, options.sprt->elo1, options.sprt->alpha,
                          options.sprt->beta, SprtText(*report.sprt),
                          report.sprt->decision == SprtDecision::kContinue
                              ? "undecided"
                              : absl::StrCat(DecisionName(report.sprt->decision), " accepted"));
  }
  AddRatings(options, report, &text);
  text += "ends:";
  for (const auto& [reason, count] : standings.reasons)
    absl::StrAppend(&text, " ", reason, " ", count);
  text.push_back('\n');
  if (standings.audits > 0) {
    absl::StrAppend(&text, "audited adjudications: ", standings.audits, ", of which ",
                    standings.audits_wrong, " ended otherwise\n");
  }
  AddTimes(options, standings, &text);
  for (const std::string& note : report.notes) absl::StrAppend(&text, "note: ", note, "\n");
  return text;
}

std::string ReportJson(const MatchOptions& options, const MatchReport& report) {
  const Standings standings = TableOf(options, report.games);
  json meetings = json::array();
  for (const auto& [players, counts] : standings.games) {
    if (players.first > players.second) continue;
    const EloEstimate elo = EstimateOf(standings, players.first, players.second);
    json meeting = JsonCounts(counts);
    meeting["first"] = NameOf(options, players.first);
    meeting["second"] = NameOf(options, players.second);
    meeting["pairs"] = standings.Pairs(players.first, players.second).pairs;
    meeting["elo"] = JsonNumber(elo.elo);
    meeting["elo_lower"] = JsonNumber(elo.lower);
    meeting["elo_upper"] = JsonNumber(elo.upper);
    meeting["normalized_elo"] = JsonNumber(elo.normalized_elo);
    meeting["los"] = elo.superiority;
    meetings.push_back(meeting);
  }
  json object = {{"complete", report.is_complete},
                 {"games", report.games.size()},
                 {"format", std::string(FormatName(options.schedule.format))},
                 {"rules", std::string(RuleSetName(options.rules))},
                 {"seed", options.seed},
                 {"players", JsonPlayers(options, report, standings)},
                 {"meetings", meetings},
                 {"ends", standings.reasons},
                 {"audits", standings.audits},
                 {"audits_wrong", standings.audits_wrong},
                 {"runner_us_per_move", standings.runner_us_per_ply},
                 {"notes", report.notes}};
  for (const TeamStanding& row : TeamsOf(options, report.games)) {
    object["teams"].push_back({{"team", row.team},
                               {"place", row.place},
                               {"match_points", row.match_points},
                               {"matches", row.matches},
                               {"won", row.won},
                               {"level", row.level},
                               {"lost", row.lost},
                               {"board_points", row.board_points}});
  }
  if (report.sprt.has_value()) {
    object["sprt"] = {{"llr", report.sprt->llr},
                      {"lower_bound", report.sprt->lower_bound},
                      {"upper_bound", report.sprt->upper_bound},
                      {"decision", std::string(DecisionName(report.sprt->decision))}};
  }
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace chuhe
