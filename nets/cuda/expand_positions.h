// The kernel that turns packed positions into the network's input planes; the arithmetic is that of
// nets/features/expand.h.
//
// A position has a group of kThreads threads, which take the steps in their order: all of the group
// must have done one before any does the next.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/board/types.h"
#include "nets/cuda/element.h"
#include "nets/cuda/network_layout.h"
#include "nets/features/expand.h"
#include "nets/features/packed_position.h"
#include "nets/features/planes.h"

namespace chuhe {

struct ExpansionGroup {
  static constexpr int kThreads = 96;
  static_assert(kThreads >= kSquares && kThreads >= kPlaneSets &&
                kThreads >= static_cast<int>(sizeof(PackedPosition)));

  alignas(16) uint8_t levels[kSquares * kPlanes];
  PackedPosition position;
  PointSet attacks[kUnits];
  PointSet sets[kPlaneSets];
};

CHUHE_HOST_DEVICE inline void LoadPosition(const PackedPosition* position, int thread,
                                           ExpansionGroup* group) {
  if (thread < static_cast<int>(sizeof(PackedPosition))) {
    reinterpret_cast<unsigned char*>(&group->position)[thread] =
        reinterpret_cast<const unsigned char*>(position)[thread];
  }
}

CHUHE_HOST_DEVICE inline void FindAttacks(int thread, ExpansionGroup* group) {
  if (thread < kUnits) {
    group->attacks[thread] = UnitAttacks(group->position, Men(group->position), thread);
  }
}

CHUHE_HOST_DEVICE inline void FindPlaneSets(int thread, ExpansionGroup* group) {
  if (thread < kPlaneSets) group->sets[thread] = PlaneSet(group->position, group->attacks, thread);
}

CHUHE_HOST_DEVICE inline void ExpandPoints(int thread, ExpansionGroup* group) {
  if (thread < kSquares) {
    ExpandPoint(group->position, group->sets, thread,
                group->levels + static_cast<size_t>(thread) * kPlanes);
  }
}

// planes[point][plane] of the position = level / kInputDivisor, which is exact. They start at a
// multiple of 16 bytes.
template <typename T>
CHUHE_HOST_DEVICE void WritePlanes(const ExpansionGroup& group, int thread, T* planes) {
  constexpr int kSize = Vector<T>::kSize;
  static_assert(kPlanes % kSize == 0);
  auto* const vectors = reinterpret_cast<Vector<T>*>(planes);
  for (int i = thread; i < kSquares * kPlanes / kSize; i += ExpansionGroup::kThreads) {
    Vector<T> vector;
    for (int j = 0; j < kSize; ++j) {
      const float level = group.levels[i * kSize + j];
      vector.values[j] = FromFloat<T>(level * (1.0f / kInputDivisor));
    }
    vectors[i] = vector;
  }
}

}  // namespace chuhe
