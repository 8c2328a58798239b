// What a mate search has found out about positions, the attacker to move. A cache: entries may be
// overwritten at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/board/types.h"

namespace chuhe {

struct MateEntry {
  uint64_t key = 0;
  uint8_t within = 0;    // moves in which the attacker mates for certain; 0 if that is not known
  uint8_t excluded = 0;  // there is no mate in so many moves
  Move move;             // the first one of the mate
};

// Owned by one thread.
class MateTable {
 public:
  // What is known; all zeros if that is nothing.
  MateEntry Find(uint64_t key) const {
    if (entries_.empty()) return {};
    const MateEntry* const pair = &entries_[PlaceOf(key)];
    return pair[0].key == key ? pair[0] : pair[1].key == key ? pair[1] : MateEntry{};
  }

  void StoreMate(uint64_t key, int within, Move move);
  void StoreExclusion(uint64_t key, int moves);

  // Room for 2 to the power of `bits` entries at least, for none if 0; what is stored is kept.
  void Reserve(int bits);
  void Clear();

 private:
  // Pairs: the first of two keeps what took more work, the second what is newer.
  size_t PlaceOf(uint64_t key) const { return (key >> 20) & (entries_.size() - 2); }
  MateEntry& Claim(uint64_t key);

  std::vector<MateEntry> entries_;
};

}  // namespace chuhe
