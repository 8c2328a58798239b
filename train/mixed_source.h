// Batches of which a part comes from one source and the rest from another.
#pragma once

#include <cstdint>
#include <span>

#include "train/sample_source.h"

namespace chuhe {

// Immutable; the sources must outlive it.
class MixedSource : public SampleSource {
 public:
  // The first `first_samples` samples of each batch come from `first`, which may be null if they
  // are none; batches have more samples than that.
  MixedSource(const SampleSource* first, int first_samples, const SampleSource* rest)
      : first_(first), first_samples_(static_cast<size_t>(first_samples)), rest_(rest) {}

  void Fill(uint64_t step, std::span<Sample> samples) const override {
    if (first_samples_ > 0) first_->Fill(step, samples.first(first_samples_));
    rest_->Fill(step, samples.subspan(first_samples_));
  }

 private:
  const SampleSource* first_;
  size_t first_samples_;
  const SampleSource* rest_;
};

}  // namespace chuhe
