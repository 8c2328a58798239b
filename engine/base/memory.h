// Large blocks of memory and prefetching: what compilers and systems offer under different names.
#pragma once

#include <cstddef>
#include <memory>

namespace chuhe {

inline constexpr size_t kLargePageBytes = size_t{2} << 20;

struct LargeBlockDeleter {
  void operator()(std::byte* block) const;
};
using LargeBlock = std::unique_ptr<std::byte[], LargeBlockDeleter>;

// Uninitialised memory, aligned to and a multiple of kLargePageBytes. The system is asked for
// large pages where it has them, which spares a large tree most misses of the address cache; not
// when one page would be all, since many small blocks would then be in use to their last byte.
// Memory is not in use before it is touched. Ends the program when there is none.
LargeBlock NewLargeBlock(size_t bytes);

// A hint that the address will be read soon. Any address is allowed.
inline void Prefetch(const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

}  // namespace chuhe
