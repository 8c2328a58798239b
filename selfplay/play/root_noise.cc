#include "selfplay/play/root_noise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace chuhe {
namespace {

// Priors count as this much at most where noise is shaped, so that one dominant move does not take
// all of it.
constexpr double kMostPrior = 0.01;
constexpr double kLeastPrior = 1e-5;

// By Box and Muller; one of the two normal numbers is enough here.
double SampleNormal(Random* random) {
  const double radius = std::sqrt(-2 * std::log(1 - random->UniformDouble()));
  return radius * std::cos(2 * std::numbers::pi * random->UniformDouble());
}

// What part of the concentration each move gets.
std::vector<double> NoiseShape(std::span<const float> priors) {
  std::vector<double> shape(priors.size());
  double mean = 0;
  for (size_t i = 0; i < priors.size(); ++i) {
    shape[i] = std::log(std::clamp(static_cast<double>(priors[i]), kLeastPrior, kMostPrior));
    mean += shape[i];
  }
  mean /= static_cast<double>(priors.size());
  double sum = 0;
  for (double& x : shape) sum += x = std::max(0.0, x - mean);
  const double even = 1.0 / static_cast<double>(priors.size());
  for (double& x : shape) x = sum > 0 ? 0.5 * even + 0.5 * x / sum : even;
  return shape;
}

}  // namespace

double SampleGamma(double shape, Random* random) {
  if (shape < 1) {
    const double uniform = 1 - random->UniformDouble();
    return SampleGamma(shape + 1, random) * std::pow(uniform, 1 / shape);
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = SampleNormal(random);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double uniform = 1 - random->UniformDouble();
    if (std::log(uniform) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

void AddRootNoise(std::span<float> priors, double share, double concentration, Random* random) {
  if (priors.empty()) return;
  std::vector<double> noise = NoiseShape(priors);
  double sum = 0;
  for (double& x : noise) sum += x = SampleGamma(x * concentration, random);
  if (sum <= 0) return;
  for (size_t i = 0; i < priors.size(); ++i) {
    const double mixed = (1 - share) * static_cast<double>(priors[i]) + share * noise[i] / sum;
    priors[i] = static_cast<float>(mixed);
  }
}

}  // namespace chuhe
