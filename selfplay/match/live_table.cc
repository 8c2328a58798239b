#include "selfplay/match/live_table.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "selfplay/match/match_text.h"
#include "selfplay/match/standings.h"

namespace chuhe {
namespace {

const std::string& NameOf(const MatchOptions& options, int engine) {
  return options.engines[static_cast<size_t>(engine)].name;
}

EloEstimate EstimateOf(const MatchOptions& options, const Standings& standings,
                       const PlayerStanding& row) {
  if (options.engines.size() == 2) {
    const PairCounts& pairs = standings.Pairs(row.player, 1 - row.player);
    if (pairs.total() > 0) return EstimateElo(pairs);
  }
  return EstimateElo(row.counts);
}

std::string EloText(const EloEstimate& elo) {
  const auto number = [](double value) {
    return std::isinf(value) ? std::string(value > 0 ? "+inf" : "-inf")
                             : absl::StrFormat("%+.0f", value);
  };
  return absl::StrFormat("%5s [%5s, %5s]", number(elo.elo), number(elo.lower), number(elo.upper));
}

}  // namespace

std::vector<std::string> LiveTable(const MatchOptions& options,
                                   const std::vector<PlayedGame>& games,
                                   const std::optional<SprtState>& sprt, size_t most_rows) {
  const Standings standings = TableOf(options, games);
  size_t width = 6;
  for (const EngineSpec& engine : options.engines) width = std::max(width, engine.name.size());
  std::vector<std::string> lines;
  lines.push_back(absl::StrFormat("  #  %-*s %7s %6s  %-14s  %-21s %6s", width, "engine", "points",
                                  "games", "W-D-L", "  Elo (95 %)", "LOS"));
  for (size_t i = 0; i < std::min(most_rows, standings.table.size()); ++i) {
    const PlayerStanding& row = standings.table[i];
    const std::string counts =
        absl::StrFormat("%d-%d-%d", row.counts.wins, row.counts.draws, row.counts.losses);
    std::string line =
        absl::StrFormat("%3d  %-*s %7.1f %6d  %-14s", row.place, width, NameOf(options, row.player),
                        row.points, row.counts.games(), counts);
    if (row.counts.games() > 0) {
      const EloEstimate elo = EstimateOf(options, standings, row);
      absl::StrAppendFormat(&line, "  %-21s %5.1f%%", EloText(elo), 100 * elo.superiority);
    }
    lines.push_back(line);
  }
  if (standings.table.size() > most_rows) {
    lines.push_back(absl::StrFormat("     and %d more", standings.table.size() - most_rows));
  }
  if (options.sprt.has_value() && sprt.has_value()) {
    lines.push_back(absl::StrFormat("SPRT %g to %g Elo: LLR %.2f (%.2f, %.2f)", options.sprt->elo0,
                                    options.sprt->elo1, sprt->llr, sprt->lower_bound,
                                    sprt->upper_bound));
  }
  return lines;
}

std::vector<std::string> UnderWayTexts(const MatchOptions& options,
                                       const std::vector<Match::GameUnderWay>& games) {
  std::vector<std::string> texts;
  for (const auto& [game, plies] : games) {
    texts.push_back(absl::StrFormat("game %d: %s - %s, ply %d", game.index + 1,
                                    NameOf(options, game.red), NameOf(options, game.black), plies));
  }
  return texts;
}

}  // namespace chuhe
