// The shape of a move by arithmetic, for the CPU and for kernels. On the CPU, MoveShape() of
// policy.h looks the same numbers up.
#pragma once

#include <cstdint>

#include "nets/features/host_device.h"

namespace chuhe {

// Shape from 0 to kMoveShapes − 1 of going from one point to another, 0–89 as the side to move sees
// them; −1 if no man goes so.
CHUHE_HOST_DEVICE constexpr int ShapeBetween(int from, int to) {
  const int ranks = to / 9 - from / 9;
  const int files = to % 9 - from % 9;
  const int rank_size = ranks < 0 ? -ranks : ranks;
  const int file_size = files < 0 ? -files : files;
  const int up = ranks > 0 ? 1 : 0;
  const int right = files > 0 ? 1 : 0;
  if (from == to) return -1;
  if (ranks == 0) return files + 8 - right;
  if (files == 0) return 16 + ranks + 9 - up;
  if (rank_size == 2 && file_size == 1) return 34 + 6 * up + right;
  if (rank_size == 1 && file_size == 2) return 36 + 2 * up + right;
  if (rank_size == 1 && file_size == 1) return 42 + 2 * up + right;
  if (rank_size == 2 && file_size == 2) return 46 + 2 * up + right;
  return -1;
}

}  // namespace chuhe
