// What the alpha-beta search knows about positions that it has met, in a fixed amount of memory.
//
//   bucket of 64 bytes:  | entry | entry | entry | entry |
//   entry of 16 bytes:   | key 64 | move 16 | score 16 | depth 8 | age 6, bound 2 | spare 16 |
//
// A new entry takes the place of its own position's, or else of the least valuable of its bucket:
// the shallowest, where entries of earlier searches count as shallower.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/board/types.h"

namespace chuhe {

enum class Bound : uint8_t {
  kNone,
  kLower,  // the true score is at least this
  kUpper,  // at most
  kExact,
};

struct TableEntry {
  Move move;  // no move if none is known
  int score = 0;
  int depth = 0;
  Bound bound = Bound::kNone;
};

// Owned by one thread.
class TranspositionTable {
 public:
  // Takes the largest power of two of buckets that fits into `bytes`, at least one.
  explicit TranspositionTable(size_t bytes);

  size_t bytes() const { return buckets_.size() * sizeof(Bucket); }
  // Forgets everything.
  void Clear();
  // Entries stored before now are old.
  void NextSearch() { age_ = (age_ + 1) % kAges; }

  std::optional<TableEntry> Find(uint64_t key) const;
  // An entry without a move leaves a move of the same position in place. The score must fit into
  // 16 bits, the depth into 0 to 127.
  void Store(uint64_t key, const TableEntry& entry);

  // How many of a thousand sampled entries are of this search.
  int used_permille() const;

 private:
  static constexpr unsigned kAges = 64;
  static constexpr int kEntries = 4;

  struct Slot {
    uint64_t key = 0;
    Move move;
    int16_t score = 0;
    int8_t depth = 0;
    uint8_t age_and_bound = 0;  // 0 = empty

    Bound bound() const { return static_cast<Bound>(age_and_bound & 3); }
    unsigned age() const { return age_and_bound >> 2; }
  };
  struct alignas(64) Bucket {
    Slot slots[kEntries];
  };

  const Bucket& BucketOf(uint64_t key) const { return buckets_[key & (buckets_.size() - 1)]; }
  // The lower, the sooner it is replaced.
  int Worth(const Slot& slot) const;

  std::vector<Bucket> buckets_;
  unsigned age_ = 0;
};

}  // namespace chuhe
