#include "engine/search/mate_table.h"

#include <algorithm>
#include <utility>

namespace chuhe {
namespace {

int WorkOf(const MateEntry& entry) { return std::max(entry.within, entry.excluded); }

}  // namespace

MateEntry& MateTable::Claim(uint64_t key) {
  MateEntry* const pair = &entries_[PlaceOf(key)];
  if (pair[0].key == key) return pair[0];
  if (pair[1].key == key) return pair[1];
  MateEntry& claimed = WorkOf(pair[0]) <= 1 ? pair[0] : pair[1];
  claimed = {.key = key};
  return claimed;
}

void MateTable::StoreMate(uint64_t key, int within, Move move) {
  if (entries_.empty()) return;
  MateEntry& entry = Claim(key);
  if (entry.within != 0 && entry.within <= within) return;
  entry.within = static_cast<uint8_t>(within);
  entry.move = move;
}

void MateTable::StoreExclusion(uint64_t key, int moves) {
  if (entries_.empty()) return;
  MateEntry& entry = Claim(key);
  entry.excluded = static_cast<uint8_t>(std::max(int{entry.excluded}, moves));
}

void MateTable::Reserve(int bits) {
  const size_t size = size_t{1} << bits;
  if (bits == 0 || entries_.size() >= size) return;
  const std::vector<MateEntry> old = std::exchange(entries_, std::vector<MateEntry>(size));
  for (const MateEntry& entry : old) {
    if (entry.key != 0) Claim(entry.key) = entry;
  }
}

void MateTable::Clear() { entries_.clear(); }

}  // namespace chuhe
