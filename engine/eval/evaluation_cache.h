// Answers of evaluators, kept in a fixed amount of memory to be given again.
//
// Split into shards, each with a lock of its own. A shard keeps its answers one after the other in
// a ring, each as long as its number of moves asks, new ones over the oldest; an index of buckets
// finds them. What is found in the older half of the ring is written again at its head, so that
// answers in use stay.
//
//   key ─► shard ─► bucket │ 8 × (tag, place) │ ─► ring │ …old │ head → │ key, answer │ key, answer
//   │ …
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/memory.h"
#include "engine/base/mutex.h"
#include "engine/eval/evaluator.h"
#include "engine/eval/question_key.h"

namespace chuhe {

// Thread-safe.
class EvaluationCache {
 public:
  struct Statistics {
    int64_t hits = 0;
    int64_t misses = 0;
    int64_t stores = 0;
  };

  // At least 1 MiB is taken.
  explicit EvaluationCache(int mebibytes);

  // Writes the kept answer, bit for bit, into the request whose key it is. False if there is none.
  bool Find(const QuestionKey& key, EvaluationRequest* request);
  // Keeps the answer in the request.
  void Store(const QuestionKey& key, const EvaluationRequest& request);
  // Announces that the key will be looked up.
  void Prefetch(const QuestionKey& key) const { chuhe::Prefetch(&ShardOf(key).BucketOf(key)); }
  void Clear();

  // Since the start.
  Statistics statistics() const;

 private:
  // Tag in the upper bits, place in the ring in the lower ones.
  using Slot = uint64_t;
  static constexpr int kSlots = 8;
  struct alignas(kSlots * sizeof(Slot)) Bucket {
    Slot slots[kSlots];
  };

  // Places in the ring count its words on and on; a slot holds the lower 40 bits of them.
  struct alignas(64) Shard {
    Bucket& BucketOf(const QuestionKey& key) const;
    // The slot of a key that is kept, and where its entry begins; null if there is none.
    Slot* Locate(const QuestionKey& key, uint64_t* place) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
    // Writes at the head of the ring; returns the slot's new content.
    Slot Append(const QuestionKey& key, const EvaluationRequest& request)
        ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
    // How many words were written since that place; above ring_words: its entry is no more.
    uint64_t AgeOf(Slot slot) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

    mutable Mutex mutex;
    Bucket* buckets = nullptr;  // what is in them is guarded by the mutex too
    uint64_t* ring ABSL_PT_GUARDED_BY(mutex) = nullptr;
    uint64_t bucket_count = 0;
    uint64_t ring_words = 0;
    uint64_t head ABSL_GUARDED_BY(mutex) = 0;
    Statistics statistics ABSL_GUARDED_BY(mutex);
  };

  static constexpr int kShards = 64;
  Shard& ShardOf(const QuestionKey& key) { return shards_[key.low % kShards]; }
  const Shard& ShardOf(const QuestionKey& key) const { return shards_[key.low % kShards]; }

  LargeBlock memory_;
  std::array<Shard, kShards> shards_;
};

}  // namespace chuhe
