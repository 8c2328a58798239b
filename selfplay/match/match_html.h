// A match as an HTML page without anything from outside: crosstable, meetings, Elo graph.
#pragma once

#include <string>

#include "selfplay/match/match.h"

namespace chuhe {

std::string ReportHtml(const MatchOptions& options, const MatchReport& report);

}  // namespace chuhe
