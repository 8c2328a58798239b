// Samples from the games of self-play that are in the window.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "train/packed_game.h"
#include "train/sample_source.h"

namespace chuhe {

// Every position equally likely whenever a sample is drawn, each a mirror image half the time. A
// batch depends on seed, step and games alone. Immutable.
class ReplaySource : public SampleSource {
 public:
  // Null stands for a game without positions. There must be a position in all.
  ReplaySource(std::vector<std::shared_ptr<const PackedGame>> games, uint64_t seed);

  void Fill(uint64_t step, std::span<Sample> samples) const override;

  int64_t positions() const { return first_position_.back(); }
  // `count` positions for calibration, drawn by the seed and `step`.
  std::vector<PackedPosition> DrawPositions(int count, uint64_t step) const;

 private:
  struct Place {
    const PackedGame* game;
    int index;
  };
  Place PlaceOf(int64_t position) const;

  std::vector<std::shared_ptr<const PackedGame>> games_;
  std::vector<int64_t> first_position_;  // of each game; one more at the end
  uint64_t seed_;
};

}  // namespace chuhe
