#include "engine/search/puct.h"

#include <cstring>
#include <limits>

// Whether the compiler knows vectors of numbers: GCC from 12 on and Clang, on any machine.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define CHUHE_HAS_VECTORS 1
#endif
#endif

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

size_t PuctNode::ScoreAll(const EdgeList& edges, float* scores) const {
  if (kLanes > 0 && edges.size() >= kLanes) return ScoreMany(edges, scores);
  const EdgeArrays& arrays = edges.arrays();
  for (size_t i = 0; i < edges.size(); ++i) {
    const float started = static_cast<float>(arrays.visits()[i] + arrays.in_flight()[i]);
    scores[i] = Utility(arrays.value()[i], arrays.draw()[i], arrays.plies_left()[i]) +
                Bonus(arrays.prior()[i], started);
  }
  MarkLosses(arrays.proof(), 0, edges.size(), scores);
  size_t best = 0;
  for (size_t i = 1; i < edges.size(); ++i) best = scores[i] > scores[best] ? i : best;
  return best;
}

#if defined(CHUHE_HAS_VECTORS)
namespace {

using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));
using Uints = uint32_t __attribute__((vector_size(kLanes * sizeof(uint32_t))));
using Shorts = uint16_t __attribute__((vector_size(kLanes * sizeof(uint16_t))));

template <typename Lanes, typename T>
void Load(const T* array, Lanes* out) {
  std::memcpy(out, array, sizeof(Lanes));
}

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

size_t PuctNode::ScoreMany(const EdgeList& edges, float* scores) const {
  const EdgeArrays arrays = edges.arrays();
  const PuctNode node = *this;  // so that the compiler knows that it stays the same
  const float slope = options_.moves_left_slope;
  const float cap = options_.moves_left_cap;
  Best best;
  const auto score_group = [&](size_t first) {
    Floats value, draw, plies_left;
    Uints visits;
    Shorts prior, in_flight;
    Load(arrays.value() + first, &value);
    Load(arrays.draw() + first, &draw);
    Load(arrays.plies_left() + first, &plies_left);
    Load(arrays.visits() + first, &visits);
    Load(arrays.prior() + first, &prior);
    Load(arrays.in_flight() + first, &in_flight);
    Floats delay = slope * (plies_left - node.plies_left_);
    delay = delay < -cap ? Floats{} - cap : delay;
    delay = delay > cap ? Floats{} + cap : delay;
    const Uints started = visits + __builtin_convertvector(in_flight, Uints);
    // Through signed numbers, for which there are instructions.
    const Floats bonus = node.exploration_ *
                         __builtin_convertvector(__builtin_convertvector(prior, Ints), Floats) /
                         (1 + __builtin_convertvector(started, Floats));
    Floats score = value + node.draw_score_ * draw - delay * value + bonus;
    std::memcpy(scores + first, &score, sizeof(score));
    if (HasLoss(arrays.proof() + first)) {
      MarkLosses(arrays.proof(), first, kLanes, scores);
      Load(scores + first, &score);
    }
    best.Take(score, first);
  };
  const size_t size = edges.size();
  for (size_t first = 0; first + kLanes <= size; first += kLanes) score_group(first);
  // Some are weighed twice instead of the last ones one by one.
  if (size % kLanes != 0) score_group(size - kLanes);
  return best.Place();
}
#else
size_t PuctNode::ScoreMany(const EdgeList&, float*) const { return 0; }
#endif

}  // namespace chuhe
