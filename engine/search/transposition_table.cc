#include "engine/search/transposition_table.h"

#include <algorithm>
#include <bit>

namespace chuhe {

TranspositionTable::TranspositionTable(size_t bytes)
    : buckets_(std::bit_floor(std::max<size_t>(bytes / sizeof(Bucket), 1))) {
  static_assert(sizeof(Slot) == 16 && sizeof(Bucket) == 64);
}

void TranspositionTable::Clear() {
  std::fill(buckets_.begin(), buckets_.end(), Bucket{});
  age_ = 0;
}

std::optional<TableEntry> TranspositionTable::Find(uint64_t key) const {
  for (const Slot& slot : BucketOf(key).slots) {
    if (slot.key == key && slot.bound() != Bound::kNone) {
      return TableEntry{slot.move, slot.score, slot.depth, slot.bound()};
    }
  }
  return std::nullopt;
}

int TranspositionTable::Worth(const Slot& slot) const {
  if (slot.bound() == Bound::kNone) return -1000;
  const unsigned searches_ago = (age_ - slot.age()) % kAges;
  return slot.depth - 8 * static_cast<int>(searches_ago);
}

void TranspositionTable::Store(uint64_t key, const TableEntry& entry) {
  Bucket& bucket = buckets_[key & (buckets_.size() - 1)];
  Slot* target = &bucket.slots[0];
  for (Slot& slot : bucket.slots) {
    if (slot.key == key && slot.bound() != Bound::kNone) {
      target = &slot;
      break;
    }
    if (Worth(slot) < Worth(*target)) target = &slot;
  }
  const bool is_same = target->key == key && target->bound() != Bound::kNone;
  if (entry.move || !is_same) target->move = entry.move;
  // What was found out with much more depth in this search is worth more than a fresh bound.
  if (is_same && entry.bound != Bound::kExact && target->age() == age_ &&
      entry.depth + 3 < target->depth) {
    return;
  }
  target->key = key;
  target->score = static_cast<int16_t>(entry.score);
  target->depth = static_cast<int8_t>(entry.depth);
  target->age_and_bound = static_cast<uint8_t>(age_ << 2 | static_cast<unsigned>(entry.bound));
}

int TranspositionTable::used_permille() const {
  const size_t sampled = std::min<size_t>(buckets_.size(), 250);
  int used = 0;
  for (size_t i = 0; i < sampled; ++i) {
    for (const Slot& slot : buckets_[i].slots) {
      used += slot.bound() != Bound::kNone && slot.age() == age_ ? 1 : 0;
    }
  }
  return used * 1000 / static_cast<int>(sampled * kEntries);
}

}  // namespace chuhe
