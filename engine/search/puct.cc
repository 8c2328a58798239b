#include "engine/search/puct.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/memory.h"
#include "engine/base/vectors.h"

namespace chuhe {
namespace {

// Where there are as many edges, so many are weighed at once. 0: never.
#if defined(CHUHE_HAS_VECTORS)
constexpr size_t kLanes = 8;
#else
constexpr size_t kLanes = 0;
#endif

constexpr float kLostScore = -std::numeric_limits<float>::infinity();

void MarkLosses(const Proof* proofs, size_t first, size_t count, float* scores) {
  for (size_t i = first; i < first + count; ++i) {
    if (proofs[i] == Proof::kLoss) scores[i] = kLostScore;
  }
}

}  // namespace

void TemperPriors(std::span<const float> priors, float temperature, float* tempered) {
  float sum = 0;
  for (size_t i = 0; i < priors.size(); ++i) {
    tempered[i] = std::pow(priors[i], 1 / temperature);
    sum += tempered[i];
  }
  for (size_t i = 0; i < priors.size(); ++i) tempered[i] /= sum;
}

PuctNode::Ranking PuctNode::ScoreAll(const EdgeList& edges, float* scores) const {
  if (kLanes > 0 && edges.size() >= kLanes) return ScoreMany(edges, scores);
  const EdgeArrays& arrays = edges.arrays();
  Ranking ranking;
  for (size_t i = 0; i < edges.size(); ++i) {
    const float started = static_cast<float>(arrays.visits()[i] + arrays.in_flight()[i]);
    scores[i] = Utility(arrays.value()[i], arrays.draw()[i], arrays.plies_left()[i]) +
                Bonus(arrays.prior()[i], started);
    ranking.prior_sum += arrays.prior()[i];
  }
  MarkLosses(arrays.proof(), 0, edges.size(), scores);
  for (size_t i = 1; i < edges.size(); ++i) {
    ranking.best = scores[i] > scores[ranking.best] ? i : ranking.best;
  }
  return ranking;
}

#if defined(CHUHE_HAS_VECTORS)
namespace {

using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));
using Shorts = uint16_t __attribute__((vector_size(kLanes * sizeof(uint16_t))));

// Whether any of kLanes proofs, of a byte each, is a loss.
bool HasLoss(const Proof* proofs) {
  uint64_t bytes = 0;
  static_assert(sizeof(bytes) == kLanes * sizeof(Proof));
  std::memcpy(&bytes, proofs, sizeof(bytes));
  // The only one with both bits.
  static_assert(static_cast<int>(Proof::kLoss) == 3);
  return (bytes & bytes >> 1 & 0x0101010101010101) != 0;
}

// In each lane the highest score so far and its place.
struct Best {
  static constexpr Ints kSteps = {0, 1, 2, 3, 4, 5, 6, 7};
  Floats score = Floats{} + kLostScore;
  Ints place = kSteps;

  // Scores that begin at that place, behind those before.
  void Take(const Floats& others, size_t first) {
    place = others > score ? kSteps + static_cast<int32_t>(first) : place;
    score = others > score ? others : score;
  }
  // Of all lanes.
  size_t Place() {
    TakeLanes(__builtin_shufflevector(score, score, 4, 5, 6, 7, 0, 1, 2, 3),
              __builtin_shufflevector(place, place, 4, 5, 6, 7, 0, 1, 2, 3));
    TakeLanes(__builtin_shufflevector(score, score, 2, 3, 0, 1, 6, 7, 4, 5),
              __builtin_shufflevector(place, place, 2, 3, 0, 1, 6, 7, 4, 5));
    TakeLanes(__builtin_shufflevector(score, score, 1, 0, 3, 2, 5, 4, 7, 6),
              __builtin_shufflevector(place, place, 1, 0, 3, 2, 5, 4, 7, 6));
    return static_cast<size_t>(place[0]);
  }
  void TakeLanes(const Floats& scores, const Ints& places) {
    const Ints is_better = (scores > score) | ((scores == score) & (places < place));
    score = is_better ? scores : score;
    place = is_better ? places : place;
  }
};

}  // namespace

PuctNode::Ranking PuctNode::ScoreMany(const EdgeList& edges, float* scores) const {
  const EdgeArrays arrays = edges.arrays();
  // By themselves, so that the compiler knows that they stay the same.
  const float draw_score = draw_score_;
  const float own_plies_left = plies_left_;
  const float exploration = exploration_;
  const float slope = options_.moves_left_slope;
  const float cap = options_.moves_left_cap;
  const size_t size = edges.size();
  Best best;
  Ints prior_sums = {};
  size_t done = 0;
  // One body for all groups, so that what it needs stays in registers. Some edges are weighed twice
  // instead of the last ones one by one.
  for (size_t first = 0; done < size; first = std::min(done, size - kLanes)) {
    // Not needed before the choice is made: on its way meanwhile.
    Prefetch(arrays.child() + first);
    Floats value, draw, plies_left;
    Ints visits;
    Shorts short_prior, short_in_flight;
    LoadVector(arrays.value() + first, &value);
    LoadVector(arrays.draw() + first, &draw);
    LoadVector(arrays.plies_left() + first, &plies_left);
    LoadVector(arrays.visits() + first, &visits);
    LoadVector(arrays.prior() + first, &short_prior);
    LoadVector(arrays.in_flight() + first, &short_in_flight);
    Floats delay = slope * (plies_left - own_plies_left);
    delay = delay < -cap ? Floats{} - cap : delay;
    delay = delay > cap ? Floats{} + cap : delay;
    // Through signed numbers, for which there are instructions.
    const Ints started = visits + __builtin_convertvector(short_in_flight, Ints);
    const Ints prior = __builtin_convertvector(short_prior, Ints);
    const auto counted = static_cast<int32_t>(done - first);
    prior_sums += prior & (Best::kSteps >= counted);
    const Floats bonus = exploration * __builtin_convertvector(prior, Floats) /
                         (1 + __builtin_convertvector(started, Floats));
    Floats score = value + draw_score * draw - delay * value + bonus;
    std::memcpy(scores + first, &score, sizeof(score));
    if (HasLoss(arrays.proof() + first)) {
      MarkLosses(arrays.proof(), first, kLanes, scores);
      LoadVector(scores + first, &score);
    }
    best.Take(score, first);
    done = first + kLanes;
  }
  uint32_t prior_sum = 0;
  for (size_t i = 0; i < kLanes; ++i) prior_sum += static_cast<uint32_t>(prior_sums[i]);
  return {best.Place(), prior_sum};
}
#else
PuctNode::Ranking PuctNode::ScoreMany(const EdgeList&, float*) const { return {}; }
#endif

}  // namespace chuhe
