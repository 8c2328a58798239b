// Fuzzes the reader of game records.

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/game_record_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(chuhe::CheckGameRecord(bytes));
  return 0;
}
