#include "selfplay/play/self_play_statistics.h"

#include <optional>

namespace chuhe {
namespace {

void CountPassed(const std::optional<PassedEnd>& end, Outcome outcome, int64_t* passed,
                 int64_t* wrong) {
  if (!end) return;
  ++*passed;
  *wrong += end->outcome != outcome ? 1 : 0;
}

}  // namespace

void SelfPlayStatistics::AddGame(const GameRecord& record) {
  ++games;
  plies += static_cast<int64_t>(record.plies.size());
  red_wins += record.outcome == Outcome::kBlackLoses ? 1 : 0;
  draws += record.outcome == Outcome::kDraw ? 1 : 0;
  black_wins += record.outcome == Outcome::kRedLoses ? 1 : 0;
  adjudicated += record.end == GameEnd::kAdjudicated ? 1 : 0;
  capped += record.end == GameEnd::kAdjudicated || record.end == GameEnd::kPlyCap ? 1 : 0;
  resigned += record.end == GameEnd::kResignation ? 1 : 0;
  CountPassed(record.passed_resignation, record.outcome, &resignations_passed, &resignations_wrong);
  CountPassed(record.passed_adjudication, record.outcome, &adjudications_passed,
              &adjudications_wrong);
}

void SelfPlayStatistics::Add(const SelfPlayStatistics& other) {
  games += other.games;
  plies += other.plies;
  positions += other.positions;
  samples += other.samples;
  evaluations += other.evaluations;
  red_wins += other.red_wins;
  draws += other.draws;
  black_wins += other.black_wins;
  capped += other.capped;
  adjudicated += other.adjudicated;
  resigned += other.resigned;
  resignations_passed += other.resignations_passed;
  resignations_wrong += other.resignations_wrong;
  adjudications_passed += other.adjudications_passed;
  adjudications_wrong += other.adjudications_wrong;
  games_under_way += other.games_under_way;
}

}  // namespace chuhe
