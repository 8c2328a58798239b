// When a side gives a game up, and how it is known that this is right.
//
// A share of the games is audited: nobody resigns in them. How bad things looked there for sides
// that did not lose in the end tells at which value resignations are wrong too often.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/board/types.h"
#include "engine/rules/verdict.h"
#include "selfplay/play/self_play_options.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

// Whether nobody may resign in the game of that seed.
bool IsResignationAudited(const SelfPlayOptions& options, uint64_t seed);

// How bad a game has looked to each side. Owned by one thread.
class ResignationWatch {
 public:
  // `moves` in a row count.
  explicit ResignationWatch(int moves) : moves_(static_cast<size_t>(moves)) {}

  void Clear();
  // What the search thought at a move of that side: win − loss of it.
  void Add(Color side, float value);
  // The highest of the side's last values, as many as count; 1 where there are not so many.
  float Recent(Color side) const;
  // The lowest that Recent() has been.
  float worst(Color side) const { return worst_[Index(side)]; }

 private:
  size_t moves_;
  std::vector<float> values_[2];
  float worst_[2] = {1, 1};
};

// Finds the threshold for all games of a process. Thread-safe.
class ResignationControl {
 public:
  static constexpr float kNever = -2;

  explicit ResignationControl(const SelfPlayOptions& options);

  // A side resigns when its Recent() is at or below this; kNever while it is not known.
  float threshold() const { return threshold_.load(std::memory_order_relaxed); }
  // A game that was played to its end without a chance to resign.
  void AddAudited(const ResignationWatch& watch, Outcome outcome);
  // The same of a game that an earlier process played, if it was one of those. Oldest first.
  void AddEarlier(const GameRecord& record);

 private:
  // A side of an audited game.
  struct Side {
    float worst = 1;
    bool has_lost = false;
  };

  float FindThreshold() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const SelfPlayOptions options_;
  std::atomic<float> threshold_ = kNever;
  Mutex mutex_;
  size_t games_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Side> sides_ ABSL_GUARDED_BY(mutex_);  // of the last games, a ring
};

}  // namespace chuhe
