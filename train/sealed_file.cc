#include "train/sealed_file.h"

#include <xxhash.h>

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/base/stored_file.h"

namespace chuhe {
namespace {

constexpr size_t kMagicBytes = 8;
constexpr size_t kHeaderBytes = kMagicBytes + 16;
constexpr size_t kMaxBytes = size_t{8} << 30;

void AppendNumber(uint64_t value, std::string* text) {
  for (int i = 0; i < 8; ++i) text->push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t NumberAt(absl::string_view text, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) {
    value |= uint64_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
  }
  return value;
}

}  // namespace

absl::Status WriteSealedFile(const std::string& path, absl::string_view magic,
                             absl::string_view content) {
  std::string bytes(magic);
  AppendNumber(content.size(), &bytes);
  AppendNumber(XXH3_64bits(content.data(), content.size()), &bytes);
  bytes.append(content.data(), content.size());
  return WriteStoredFile(path, bytes);
}

absl::StatusOr<std::string> ReadSealedFile(const std::string& path, absl::string_view magic) {
  CHUHE_ASSIGN_OR_RETURN(std::string bytes, ReadStoredFile(path, kMaxBytes));
  if (bytes.size() < kHeaderBytes || absl::string_view(bytes).substr(0, kMagicBytes) != magic) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": does not begin with ", magic, "; it is another kind of file"));
  }
  const uint64_t length = NumberAt(bytes, kMagicBytes);
  const uint64_t checksum = NumberAt(bytes, kMagicBytes + 8);
  bytes.erase(0, kHeaderBytes);
  if (bytes.size() != length) {
    return absl::DataLossError(absl::StrCat(path, ": holds ", bytes.size(),
                                            " bytes of content where its header says ", length));
  }
  if (XXH3_64bits(bytes.data(), bytes.size()) != checksum) {
    return absl::DataLossError(absl::StrCat(path, ": the checksum is wrong; the file was changed"));
  }
  return bytes;
}

}  // namespace chuhe
