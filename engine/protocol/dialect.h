// The two protocols that are spoken.
#pragma once

#include <cstdint>

namespace chuhe {

enum class Dialect : uint8_t { kUci, kUcci };

}  // namespace chuhe
