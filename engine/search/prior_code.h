// Priors in one byte: a tree has forty of them for each node, and most are never looked at again.
//
// Up to 16/65535 the code is the prior itself, in units of 1/65535. Above, it is a number with an
// exponent and four binary digits: sixteen steps for each doubling. So a prior is off by at most
// 1/32 of itself, one below 32/65535 not at all, and none is lost however small. 0 stands for a
// move that has been tried.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace chuhe {

inline constexpr uint32_t kLargestPrior = 65535;
// What codes as itself; above, so many codes are one doubling.
inline constexpr uint32_t kPriorCodeSteps = 16;

// The prior that a code stands for, in units of 1/65535.
constexpr uint16_t DecodePrior(uint8_t code) {
  if (code < kPriorCodeSteps) return code;
  const uint32_t doublings = code / kPriorCodeSteps - 1;
  const uint32_t prior = (kPriorCodeSteps + code % kPriorCodeSteps) << doublings;
  return static_cast<uint16_t>(std::min(prior, kLargestPrior));
}

namespace prior_code {

// The bits of a float are its exponent and, behind it, its digits: in one number a logarithm that
// is straight between powers of two. Of the digits four are kept, and rounded.
inline constexpr int kShift = 23 - 4;
inline constexpr uint32_t kHalfStep = 1u << (kShift - 1);
inline constexpr uint32_t kBase = (std::bit_cast<uint32_t>(16.0f) >> kShift) - kPriorCodeSteps;

}  // namespace prior_code

// The code nearest to a prior, in units of 1/65535; 0 for 0 alone.
constexpr uint8_t EncodePrior(uint16_t prior) {
  if (prior < kPriorCodeSteps) return static_cast<uint8_t>(prior);
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(int32_t{prior}));
  return static_cast<uint8_t>(((bits + prior_code::kHalfStep) >> prior_code::kShift) -
                              prior_code::kBase);
}

// In units of 1/65535, but never 0.
constexpr uint16_t QuantizePrior(float prior) {
  return static_cast<uint16_t>(std::clamp(prior * 65535.0f + 0.5f, 1.0f, 65535.0f));
}

// The codes of many priors at once.
void EncodePriors(std::span<const float> priors, uint8_t* codes);
// The place of the highest code, of equal ones the first. There is at least one.
size_t FindHighestCode(std::span<const uint8_t> codes);

}  // namespace chuhe
