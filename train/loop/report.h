// A run as one HTML page: what it learnt, how it played, how fast it was.
#pragma once

#include <string>
#include <vector>

#include "train/loop/history.h"
#include "train/loop/ladder.h"

namespace chuhe {

// Needs nothing from outside the page. `name` is that of the run; `warnings` are shown on top.
std::string RunReportHtml(const std::string& name, const std::vector<Generation>& generations,
                          const std::vector<LadderRating>& ratings,
                          const std::vector<std::string>& warnings);

}  // namespace chuhe
