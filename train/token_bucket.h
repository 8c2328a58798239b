// Ties the steps of training to the games of self-play: every new position pays for some samples,
// and every step takes a batch of them.
#pragma once

#include <cmath>
#include <cstdint>

namespace chuhe {

// Owned by one thread.
class TokenBucket {
 public:
  // `samples` are there from the start.
  explicit TokenBucket(double samples_per_position, double samples = 0)
      : samples_per_position_(samples_per_position), samples_(samples) {}

  void Pay(int64_t positions) {
    samples_ += samples_per_position_ * static_cast<double>(positions);
  }
  // Samples that were drawn; they may have been more than were there.
  void Take(int64_t samples) { samples_ -= static_cast<double>(samples); }

  double samples() const { return samples_; }
  // Whole batches that are paid for.
  int64_t Batches(int batch_size) const {
    return samples_ < batch_size ? 0 : static_cast<int64_t>(std::floor(samples_ / batch_size));
  }

 private:
  double samples_per_position_;
  double samples_;
};

}  // namespace chuhe
