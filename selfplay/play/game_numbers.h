// Numbers the games of a run and gives each its seed.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/base/mutex.h"
#include "engine/base/random.h"

namespace chuhe {

// Thread-safe.
class GameNumbers {
 public:
  // No more than `max_games` are given out from `next` on; 0: no end.
  GameNumbers(uint64_t seed, int64_t next, int64_t max_games)
      : seed_(seed), end_(max_games > 0 ? next + max_games : -1), next_(next) {}

  std::optional<int64_t> Take() {
    const MutexLock lock(&mutex_);
    if (next_ == end_) return std::nullopt;
    return next_++;
  }
  int64_t next() const {
    const MutexLock lock(&mutex_);
    return next_;
  }
  uint64_t SeedOf(int64_t number) const {
    return Random(seed_, StreamId("game", static_cast<uint64_t>(number))).Next();
  }

 private:
  const uint64_t seed_;
  const int64_t end_;
  mutable Mutex mutex_;
  int64_t next_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace chuhe
