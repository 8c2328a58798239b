#include "train/supervised_source.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/base/random.h"
#include "train/permutation.h"

namespace chuhe {
namespace {

constexpr size_t kPliesToTellApart = 40;

uint64_t OpeningHash(const GameRecord& game) {
  uint64_t hash = game.start.key();
  const size_t plies = std::min(game.plies.size(), kPliesToTellApart);
  for (size_t i = 0; i < plies; ++i) {
    uint64_t state = hash ^ game.plies[i].move.bits();
    hash = SplitMix64(state);
  }
  return hash;
}

}  // namespace

SupervisedSource::SupervisedSource(std::vector<GameRecord> games, uint64_t seed)
    : games_(std::move(games)), seed_(seed) {
  first_ply_.reserve(games_.size() + 1);
  uint64_t plies = 0;
  for (const GameRecord& game : games_) {
    first_ply_.push_back(plies);
    plies += game.plies.size();
  }
  first_ply_.push_back(plies);
  assert(plies > 0);
}

size_t SupervisedSource::GameOf(uint64_t position) const {
  const auto after = std::upper_bound(first_ply_.begin(), first_ply_.end(), position);
  return static_cast<size_t>(after - first_ply_.begin()) - 1;
}

uint64_t SupervisedSource::KeyAt(uint64_t position) const {
  const size_t game = GameOf(position);
  Position board = games_[game].start;
  for (uint64_t i = 0; i < position - first_ply_[game]; ++i) board.Make(games_[game].plies[i].move);
  return board.key();
}

Sample SupervisedSource::At(uint64_t position) const {
  const size_t game = GameOf(position);
  GameSampler sampler(games_[game], PolicyTarget::kMovesPlayed);
  return sampler.At(static_cast<int>(position - first_ply_[game]));
}

void SupervisedSource::Fill(uint64_t step, std::span<Sample> samples) const {
  const uint64_t n = positions();
  for (size_t i = 0; i < samples.size(); ++i) {
    const uint64_t number = step * samples.size() + i;
    uint64_t epoch_seed = seed_ ^ StreamId("epoch", number / n);
    epoch_seed = SplitMix64(epoch_seed);
    samples[i] = At(PermutedIndex(number % n, n, epoch_seed));
    uint64_t coin = epoch_seed ^ number;
    if ((SplitMix64(coin) & 1) != 0) samples[i] = Mirror(samples[i]);
  }
}

GameSplit SplitGames(std::vector<GameRecord> games, int validation_one_in) {
  GameSplit split;
  for (GameRecord& game : games) {
    const bool is_held_out = OpeningHash(game) % static_cast<uint64_t>(validation_one_in) == 0;
    (is_held_out ? split.validation : split.training).push_back(std::move(game));
  }
  return split;
}

}  // namespace chuhe
