// The batch sizes that work on a GPU is captured for. A batch of another size is filled up to the
// next one.
#pragma once

#include <vector>

namespace chuhe {

// 1, 2, 4, 8 … up to max_batch, which is one of them whatever it is. From 64 on also the sizes
// half-way: there the device is busy, and what is filled up costs time.
inline std::vector<int> BatchBuckets(int max_batch) {
  constexpr int kBusy = 64;
  std::vector<int> buckets;
  for (int size = 1; size < max_batch; size *= 2) {
    buckets.push_back(size);
    const int half_way = size + size / 2;
    if (size >= kBusy && half_way < max_batch) buckets.push_back(half_way);
  }
  buckets.push_back(max_batch);
  return buckets;
}

// Index of the smallest bucket that holds `count` positions, which the last one must.
inline int BucketFor(const std::vector<int>& buckets, int count) {
  int index = 0;
  while (buckets[index] < count) ++index;
  return index;
}

}  // namespace chuhe
