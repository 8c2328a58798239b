// Noise in the priors of a root, so that self-play tries what the network does not think of.
#pragma once

#include <span>

#include "engine/base/random.h"

namespace chuhe {

// Mixes a share of Dirichlet noise into the priors, which sum to 1. The noise is shaped (Wu 2020,
// "Other methods implemented in KataGo", shaped Dirichlet noise): half of the concentration is
// spread evenly over the moves, half goes to those whose logarithm of the prior is above average.
void AddRootNoise(std::span<float> priors, double share, double concentration, Random* random);

// Sample of the gamma distribution with this shape above 0, scale 1 (Marsaglia, Tsang 2000, "A
// simple method for generating gamma variables").
double SampleGamma(double shape, Random* random);

}  // namespace chuhe
