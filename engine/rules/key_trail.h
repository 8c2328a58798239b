// The keys of the positions that a game has come through, cut down to 16 bits. That most positions
// have not occurred before is seen from these alone: a hundred of them fill four cache lines.
#pragma once

#include <cstdint>
#include <vector>

namespace chuhe {

// Owned by one thread.
class KeyTrail {
 public:
  void Push(uint64_t key) { keys_.push_back(Short(key)); }
  void Pop() { keys_.pop_back(); }

  // Whether one of the last `count` keys may be this one; `count` is no more than there are. False
  // is certain; true is wrong where another key ends in the same bits.
  bool MayContain(uint64_t key, int count) const {
    const uint16_t* block = keys_.data() + keys_.size();
    for (; count > 0; count -= kBlock) {
      block -= kBlock;
      if (IsInBlock(block, Short(key))) return true;
    }
    return false;
  }

 private:
  static constexpr int kBlock = 32;

  static uint16_t Short(uint64_t key) { return static_cast<uint16_t>(key); }
  // Without branches and of a fixed length, so that compilers make vector instructions of it.
  static bool IsInBlock(const uint16_t* block, uint16_t key) {
    uint16_t found = 0;
    for (int i = 0; i < kBlock; ++i) found |= static_cast<uint16_t>(block[i] == key);
    return found != 0;
  }

  // Behind a block of no keys, since blocks are looked at to their ends.
  std::vector<uint16_t> keys_ = std::vector<uint16_t>(kBlock);
};

}  // namespace chuhe
