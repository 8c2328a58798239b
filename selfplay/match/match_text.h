// What a match has come to, as text for people and as JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "selfplay/match/match.h"
#include "selfplay/match/standings.h"

namespace chuhe {

// The table of these games of the match (MatchTable).
Standings TableOf(const MatchOptions& options, const std::vector<PlayedGame>& games);

// `A 6.5 - 5.5 B  Elo +14.2 [-80, +110]  LLR 0.31 (-2.94, 2.94)`; of more than two engines the
// leaders and their points. The LLR is that of a test's state, if there is one. One line.
std::string ProgressText(const MatchOptions& options, const std::vector<PlayedGame>& games,
                         const std::optional<SprtState>& sprt);

// The crosstable, Elo with error bars, test, draws, reasons, time. Lines with their ends.
std::string ReportText(const MatchOptions& options, const MatchReport& report);

// The same as one JSON object in one line (docs/match.md lists the keys).
std::string ReportJson(const MatchOptions& options, const MatchReport& report);

}  // namespace chuhe
