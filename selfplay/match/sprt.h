// The sequential test that stops a match once it is clear whether a change is worth keeping.
//
// A generalised sequential probability ratio test on the pentanomial results: the ratio of the
// likelihoods of the two hypotheses, each with the outcome distribution that fits best among those
// of its mean score (M. Van den Bergh, "The generalized maximum likelihood ratio for the
// expectation value of a distribution"; Wald's bounds).
#pragma once

#include "selfplay/match/statistics.h"

namespace chuhe {

struct SprtOptions {
  double elo0 = 0;  // hypothesis 0: the first player is stronger by no more than this
  double elo1 = 10;
  double alpha = 0.05;  // chance to accept 1 where 0 is true
  double beta = 0.05;   // chance to accept 0 where 1 is true
};

enum class SprtDecision { kContinue, kAccept0, kAccept1 };

struct SprtState {
  double llr = 0;  // log-likelihood ratio of hypothesis 1 to hypothesis 0
  double lower_bound = 0;
  double upper_bound = 0;
  SprtDecision decision = SprtDecision::kContinue;
};

// The options must satisfy elo0 < elo1 and 0 < alpha, beta < 1/2.
SprtState EvaluateSprt(const SprtOptions& options, const PairCounts& counts);

}  // namespace chuhe
