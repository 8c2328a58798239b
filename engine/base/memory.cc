#include "engine/base/memory.h"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace chuhe {

void LargeBlockDeleter::operator()(std::byte* block) const {
  ::operator delete[](block, std::align_val_t{kLargePageBytes});
}

LargeBlock NewLargeBlock(size_t bytes) {
  bytes = (bytes + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
  auto* const block =
      static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kLargePageBytes}));
#if defined(__linux__)
  // Only a wish: without large pages all works, more slowly.
  if (bytes > kLargePageBytes) madvise(block, bytes, MADV_HUGEPAGE);
#endif
  return LargeBlock(block);
}

}  // namespace chuhe
