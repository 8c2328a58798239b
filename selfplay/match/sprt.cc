#include "selfplay/match/sprt.h"

#include <array>
#include <cmath>

namespace chuhe {
namespace {

constexpr int kOutcomes = 5;
// What an outcome that never happened counts as: without it the likelihood of some means would be
// zero. Small enough not to matter once there are games.
constexpr double kUnseen = 1e-3;

using Distribution = std::array<double, kOutcomes>;

double OutcomeScore(int outcome) { return outcome / (kOutcomes - 1.0); }

// The distribution of this mean under which the observed frequencies are the likeliest:
// p_i = f_i / (1 + t (a_i - mean)), with t such that the mean comes out. The left side falls in t,
// so that halving the interval finds it.
Distribution LikeliestWithMean(const Distribution& frequencies, double mean) {
  double low = -1 / (1 - mean);
  double high = 1 / mean;
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double t = (low + high) / 2;
    double sum = 0;
    for (int k = 0; k < kOutcomes; ++k) {
      const double deviation = OutcomeScore(k) - mean;
      sum += frequencies[k] * deviation / (1 + t * deviation);
    }
    (sum > 0 ? low : high) = t;
  }
  const double t = (low + high) / 2;
  Distribution likeliest;
  for (int k = 0; k < kOutcomes; ++k) {
    likeliest[k] = frequencies[k] / (1 + t * (OutcomeScore(k) - mean));
  }
  return likeliest;
}

}  // namespace

SprtState EvaluateSprt(const SprtOptions& options, const PairCounts& counts) {
  SprtState state;
  state.lower_bound = std::log(options.beta / (1 - options.alpha));
  state.upper_bound = std::log((1 - options.beta) / options.alpha);
  if (counts.total() == 0) return state;

  Distribution weights;
  double total = 0;
  for (int k = 0; k < kOutcomes; ++k) {
    weights[k] = counts.pairs[k] > 0 ? static_cast<double>(counts.pairs[k]) : kUnseen;
    total += weights[k];
  }
  Distribution frequencies;
  for (int k = 0; k < kOutcomes; ++k) frequencies[k] = weights[k] / total;
  const Distribution p0 = LikeliestWithMean(frequencies, ScoreOfElo(options.elo0));
  const Distribution p1 = LikeliestWithMean(frequencies, ScoreOfElo(options.elo1));
  for (int k = 0; k < kOutcomes; ++k) state.llr += weights[k] * std::log(p1[k] / p0[k]);

  if (state.llr >= state.upper_bound) state.decision = SprtDecision::kAccept1;
  if (state.llr <= state.lower_bound) state.decision = SprtDecision::kAccept0;
  return state;
}

}  // namespace chuhe
