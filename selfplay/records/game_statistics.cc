#include "selfplay/records/game_statistics.h"

#include <cmath>

namespace chuhe {
namespace {

// An unknown outcome proves nothing wrong.
bool WasWrong(const PassedEnd& end, Outcome outcome) {
  return outcome != Outcome::kUndecided && outcome != end.outcome;
}

}  // namespace

void GameStatistics::Add(const GameRecord& record) {
  ++games;
  plies += static_cast<int64_t>(record.plies.size());
  ++lengths[static_cast<int>(record.plies.size())];
  ++outcomes[static_cast<size_t>(record.outcome)];
  const bool is_by_rules = record.end == GameEnd::kRules;
  ++ends[is_by_rules ? std::string(ReasonName(record.reason))
                     : std::string(GameEndName(record.end))];
  evaluations += record.evaluations;
  forks += record.fork ? 1 : 0;
  for (const PlyRecord& ply : record.plies) {
    searched_plies += ply.is_searched ? 1 : 0;
    policy_plies += ply.policy.empty() ? 0 : 1;
  }
  if (record.passed_resignation) {
    ++passed_resignations;
    wrong_resignations += WasWrong(*record.passed_resignation, record.outcome) ? 1 : 0;
  }
  if (record.passed_adjudication) {
    ++passed_adjudications;
    wrong_adjudications += WasWrong(*record.passed_adjudication, record.outcome) ? 1 : 0;
  }
}

int64_t GameStatistics::end(const std::string& name) const {
  const auto found = ends.find(name);
  return found == ends.end() ? 0 : found->second;
}

int GameStatistics::LengthQuantile(double share) const {
  const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(games)));
  int64_t counted = 0;
  for (const auto& [length, count] : lengths) {
    counted += count;
    if (counted >= wanted) return length;
  }
  return 0;
}

}  // namespace chuhe
