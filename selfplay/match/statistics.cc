#include "selfplay/match/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>

namespace chuhe {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Half the width, in standard deviations, of the interval that holds 95 % of a normal variable.
constexpr double kTwoSided95 = 1.959963984540054;
constexpr double kEloPerNeper = 400 / std::numbers::ln10;

// Outcomes are evenly spaced from a score of 0 to 1.
ScoreEstimate EstimateOver(std::span<const int64_t> counts) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  ScoreEstimate estimate;
  if (total == 0) return estimate;
  const double step = 1.0 / static_cast<double>(counts.size() - 1);
  double sum = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    sum += static_cast<double>(counts[i]) * step * static_cast<double>(i);
  }
  estimate.score = sum / total;
  double squares = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double deviation = step * static_cast<double>(i) - estimate.score;
    squares += static_cast<double>(counts[i]) * deviation * deviation;
  }
  estimate.variance = squares / total;
  estimate.standard_error = std::sqrt(estimate.variance / total);
  return estimate;
}

double Superiority(const ScoreEstimate& estimate, int64_t observations) {
  const double lead = estimate.score - 0.5;
  if (estimate.standard_error > 0) return NormalCdf(lead / estimate.standard_error);
  if (lead == 0) return 0.5;
  // All the same: as for the interval, the chance that they would be where something else, as bad
  // as can be, happens just so often that the two are equal.
  const double better = 0.5 + std::abs(lead);
  const double doubt = std::min(0.5, std::pow(0.5 / better, static_cast<double>(observations)));
  return lead > 0 ? 1 - doubt : doubt;
}

// `games` is how many games one observation holds.
EloEstimate EstimateFrom(const ScoreEstimate& estimate, int64_t observations, int games) {
  EloEstimate elo;
  elo.elo = EloOfScore(estimate.score);
  elo.superiority = Superiority(estimate, observations);
  const double spread = std::sqrt(estimate.variance * games);
  if (spread > 0) elo.normalized_elo = (estimate.score - 0.5) / spread * 2 * kEloPerNeper;
  if (observations < 2) {
    elo.lower = -kInfinity;
    elo.upper = kInfinity;
    return elo;
  }
  double below = kTwoSided95 * estimate.standard_error;
  double above = below;
  if (estimate.standard_error == 0) {
    // All the same: something else may happen as often as it would stay unseen once in 40 such
    // matches, and then as badly as can be.
    const double unseen = 1 - std::pow(0.025, 1 / static_cast<double>(observations));
    below = unseen * estimate.score;
    above = unseen * (1 - estimate.score);
  }
  elo.lower = EloOfScore(estimate.score - below);
  elo.upper = EloOfScore(estimate.score + above);
  return elo;
}

}  // namespace

double ScoreOfElo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

double EloOfScore(double score) {
  if (score <= 0) return -kInfinity;
  if (score >= 1) return kInfinity;
  return kEloPerNeper * std::log(score / (1 - score));
}

double GameCounts::score() const {
  if (games() == 0) return 0.5;
  return (static_cast<double>(wins) + 0.5 * static_cast<double>(draws)) /
         static_cast<double>(games());
}

int64_t PairCounts::total() const {
  return std::accumulate(pairs.begin(), pairs.end(), int64_t{0});
}

ScoreEstimate EstimateScore(const GameCounts& counts) {
  const std::array<int64_t, 3> outcomes = {counts.losses, counts.draws, counts.wins};
  return EstimateOver(outcomes);
}

ScoreEstimate EstimateScore(const PairCounts& counts) { return EstimateOver(counts.pairs); }

EloEstimate EstimateElo(const GameCounts& counts) {
  return EstimateFrom(EstimateScore(counts), counts.games(), 1);
}

EloEstimate EstimateElo(const PairCounts& counts) {
  return EstimateFrom(EstimateScore(counts), counts.total(), 2);
}

double NormalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

}  // namespace chuhe
