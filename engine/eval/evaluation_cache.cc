#include "engine/eval/evaluation_cache.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace chuhe {
namespace {

constexpr int kPlaceBits = 40;
constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;

// What lies in the ring before the priors.
struct EntryHead {
  QuestionKey key;
  int32_t move_count;
  Wdl wdl;
  float plies_left;
};

constexpr uint64_t kWordBytes = sizeof(uint64_t);
static_assert(sizeof(EntryHead) % kWordBytes == 0);

constexpr uint64_t EntryWords(int move_count) {
  const uint64_t bytes = sizeof(EntryHead) + sizeof(float) * static_cast<uint64_t>(move_count);
  return (bytes + kWordBytes - 1) / kWordBytes;
}

EntryHead ReadHead(const uint64_t* words) {
  EntryHead head;
  std::memcpy(static_cast<void*>(&head), words, sizeof(head));
  return head;
}

// One slot for so many bytes of the ring. Entries have about 200, so that buckets are seldom full.
constexpr uint64_t kRingBytesPerSlot = 96;

uint64_t TagOf(const QuestionKey& key) { return key.high & ~kPlaceMask; }

}  // namespace

EvaluationCache::EvaluationCache(int mebibytes) {
  const size_t bytes = static_cast<size_t>(std::max(1, mebibytes)) << 20;
  const size_t shard_bytes = bytes / kShards;
  const size_t buckets = shard_bytes / (sizeof(Bucket) + kSlots * kRingBytesPerSlot);
  memory_ = NewLargeBlock(bytes);
  for (size_t i = 0; i < shards_.size(); ++i) {
    Shard& shard = shards_[i];
    std::byte* const memory = memory_.get() + i * shard_bytes;
    shard.bucket_count = buckets;
    shard.buckets = reinterpret_cast<Bucket*>(memory);
    shard.ring = reinterpret_cast<uint64_t*>(memory + buckets * sizeof(Bucket));
    shard.ring_words = (shard_bytes - buckets * sizeof(Bucket)) / kWordBytes;
    std::fill_n(shard.buckets, buckets, Bucket{});
    // Empty slots point at place 0, which is too old from the start.
    const MutexLock lock(&shard.mutex);
    shard.head = 2 * shard.ring_words;
  }
}

EvaluationCache::Bucket& EvaluationCache::Shard::BucketOf(const QuestionKey& key) const {
  return buckets[(key.low >> 32) * bucket_count >> 32];
}

uint64_t EvaluationCache::Shard::AgeOf(Slot slot) const { return (head - slot) & kPlaceMask; }

EvaluationCache::Slot* EvaluationCache::Shard::Locate(const QuestionKey& key, uint64_t* place) {
  for (Slot& slot : BucketOf(key).slots) {
    if ((slot & ~kPlaceMask) != TagOf(key)) continue;
    const uint64_t age = AgeOf(slot);
    if (age > ring_words) continue;
    *place = (head - age) % ring_words;
    // Places repeat after terabytes; then a slot can point anywhere.
    if (*place + sizeof(EntryHead) / kWordBytes > ring_words) continue;
    if (ReadHead(ring + *place).key == key) return &slot;
  }
  return nullptr;
}

EvaluationCache::Slot EvaluationCache::Shard::Append(const QuestionKey& key,
                                                     const EvaluationRequest& request) {
  const uint64_t words = EntryWords(request.moves.size);
  // Entries do not go around the end of the ring.
  uint64_t place = head % ring_words;
  if (place + words > ring_words) {
    head += ring_words - place;
    place = 0;
  }
  const EntryHead entry = {key, request.moves.size, request.wdl, request.plies_left};
  std::memcpy(ring + place, &entry, sizeof(entry));
  std::memcpy(ring + place + sizeof(entry) / kWordBytes, request.priors,
              sizeof(float) * static_cast<size_t>(request.moves.size));
  const Slot slot = TagOf(key) | (head & kPlaceMask);
  head += words;
  return slot;
}

bool EvaluationCache::Find(const QuestionKey& key, EvaluationRequest* request) {
  Shard& shard = ShardOf(key);
  const MutexLock lock(&shard.mutex);
  uint64_t place = 0;
  Slot* const slot = shard.Locate(key, &place);
  if (slot == nullptr) {
    ++shard.statistics.misses;
    return false;
  }
  const EntryHead entry = ReadHead(shard.ring + place);
  assert(entry.move_count == request->moves.size && "not the legal moves");
  request->wdl = entry.wdl;
  request->plies_left = entry.plies_left;
  std::memcpy(request->priors, shard.ring + place + sizeof(entry) / kWordBytes,
              sizeof(float) * static_cast<size_t>(entry.move_count));
  if (shard.AgeOf(*slot) > shard.ring_words / 2) *slot = shard.Append(key, *request);
  ++shard.statistics.hits;
  return true;
}

void EvaluationCache::Store(const QuestionKey& key, const EvaluationRequest& request) {
  Shard& shard = ShardOf(key);
  const MutexLock lock(&shard.mutex);
  uint64_t place = 0;
  // Another thread may have answered the same question meanwhile.
  if (shard.Locate(key, &place) != nullptr) return;
  Bucket& bucket = shard.BucketOf(key);
  Slot* oldest = &bucket.slots[0];
  for (Slot& slot : bucket.slots) {
    if (shard.AgeOf(slot) > shard.AgeOf(*oldest)) oldest = &slot;
  }
  *oldest = shard.Append(key, request);
  ++shard.statistics.stores;
}

void EvaluationCache::Clear() {
  for (Shard& shard : shards_) {
    const MutexLock lock(&shard.mutex);
    shard.head += 2 * shard.ring_words;
  }
}

EvaluationCache::Statistics EvaluationCache::statistics() const {
  Statistics sum;
  for (const Shard& shard : shards_) {
    const MutexLock lock(&shard.mutex);
    sum.hits += shard.statistics.hits;
    sum.misses += shard.statistics.misses;
    sum.stores += shard.statistics.stores;
  }
  return sum;
}

}  // namespace chuhe
