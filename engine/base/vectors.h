// Whether the compiler knows vectors of numbers as types: GCC from 12 on and Clang, on any machine.
// Where CHUHE_HAS_VECTORS is not defined, code that uses them needs another way.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define CHUHE_HAS_VECTORS 1
#endif
#endif

namespace chuhe {

// Loads a vector from any address.
template <typename Vector, typename T>
void LoadVector(const T* from, Vector* to) {
  std::memcpy(to, from, sizeof(Vector));
}

}  // namespace chuhe
