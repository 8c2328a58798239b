// The arithmetic of the CUDA self-test, one body for host and device.
#pragma once

#include <cstdint>

#include "nets/features/host_device.h"

namespace chuhe {

constexpr int kSelfTestSize = 1 << 12;

// Some integer mixing that a wrong launch or a wrong architecture will not get right by chance.
CHUHE_HOST_DEVICE inline uint32_t SelfTestValue(uint32_t index) {
  uint32_t value = index * 2654435761u;
  value ^= value >> 15;
  return value * 2246822519u + index;
}

}  // namespace chuhe
