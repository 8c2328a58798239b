// What a network's numbers are stored in on a GPU: Half or float. All sums are made in float.
//
// The same functions on both sides, so that a test on the CPU rounds as the device does.
#pragma once

#include <cstdint>

#include "nets/features/host_device.h"
#include "nets/weights/half.h"

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace chuhe {

struct Half {
  uint16_t bits;  // IEEE 754 binary16
};

CHUHE_HOST_DEVICE inline float ToFloat(float value) { return value; }

CHUHE_HOST_DEVICE inline float ToFloat(Half value) {
#if defined(__CUDA_ARCH__)
  return __half2float(__ushort_as_half(value.bits));
#else
  return FloatFromHalf(value.bits);
#endif
}

// Rounds to the nearest, of two equally near ones to the even.
template <typename T>
CHUHE_HOST_DEVICE T FromFloat(float value);

template <>
CHUHE_HOST_DEVICE inline float FromFloat<float>(float value) {
  return value;
}

template <>
CHUHE_HOST_DEVICE inline Half FromFloat<Half>(float value) {
#if defined(__CUDA_ARCH__)
  return {__half_as_ushort(__float2half_rn(value))};
#else
  return {HalfFromFloat(value)};
#endif
}

// As much as a thread of a GPU loads at once.
template <typename T>
struct alignas(16) Vector {
  static constexpr int kSize = 16 / sizeof(T);
  T values[kSize];
};

// Numbers that start at a multiple of 16 bytes, as vectors.
template <typename T>
CHUHE_HOST_DEVICE inline const Vector<T>* AsVectors(const T* values) {
  return reinterpret_cast<const Vector<T>*>(values);
}

// By value: copying a vector as a whole is what makes one load of it.
template <typename T>
CHUHE_HOST_DEVICE inline float Dot(Vector<T> a, Vector<T> b) {
  float sum = 0;
  for (int i = 0; i < Vector<T>::kSize; ++i) sum += ToFloat(a.values[i]) * ToFloat(b.values[i]);
  return sum;
}

}  // namespace chuhe
