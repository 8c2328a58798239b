// Fuzzes the reader of network files.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/fuzz/network_file_check.h"

namespace {

constexpr size_t kLengthBytes = 8;

uint64_t LoadLength(const uint8_t* bytes) {
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) length |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return length;
}

void StoreLength(uint64_t length, uint8_t* bytes) {
  for (size_t i = 0; i < kLengthBytes; ++i) bytes[i] = static_cast<uint8_t>(length >> (8 * i));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(chuhe::CheckNetworkFile(bytes));
  return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// Mostly changes the header's text alone and sets its length to match, as a wrong length would end
// the reading before anything else is looked at.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  if (seed % 4 == 0 || size < kLengthBytes || LoadLength(data) > size - kLengthBytes) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  const size_t header_end = kLengthBytes + static_cast<size_t>(LoadLength(data));
  const std::string rest(reinterpret_cast<const char*>(data) + header_end, size - header_end);
  const size_t length =
      LLVMFuzzerMutate(data + kLengthBytes, header_end - kLengthBytes, max_size - kLengthBytes);
  StoreLength(length, data);
  const size_t room = max_size - kLengthBytes - length;
  const size_t kept = std::min(room, rest.size());
  std::memcpy(data + kLengthBytes + length, rest.data(), kept);
  return kLengthBytes + length + kept;
}
