// Where training samples come from: real games, or the replay window of self-play.
#pragma once

#include <cstdint>
#include <span>

#include "train/sample.h"

namespace chuhe {

class SampleSource {
 public:
  virtual ~SampleSource() = default;

  // Fills the batch of step `step`, the same one whenever it is asked for. Thread-safe.
  virtual void Fill(uint64_t step, std::span<Sample> samples) const = 0;
};

}  // namespace chuhe
