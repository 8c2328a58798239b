#include "selfplay/records/compressed_file.h"

#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "engine/base/input_file.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

constexpr size_t kMaxBytes = size_t{4} << 30;

absl::StatusOr<std::string> Decompress(const std::string& compressed, const std::string& path) {
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                        ZSTD_freeDStream);
  std::string chunk(ZSTD_DStreamOutSize(), '\0');
  std::string text;
  ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
  size_t left = 1;
  while (input.pos < input.size || left != 0) {
    ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &output, &input);
    if (ZSTD_isError(left) != 0) {
      return absl::DataLossError(
          absl::StrCat(path, ": not valid zstd data: ", ZSTD_getErrorName(left)));
    }
    if (text.size() + output.pos > kMaxBytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat(path, ": holds more than ", kMaxBytes >> 30, " GiB"));
    }
    text.append(chunk, 0, output.pos);
    if (left != 0 && input.pos == input.size && output.pos < output.size) {
      return absl::DataLossError(absl::StrCat(path, ": ends in the middle of its zstd data"));
    }
  }
  return text;
}

}  // namespace

absl::StatusOr<std::string> ReadMaybeCompressed(const std::string& path) {
  CHUHE_ASSIGN_OR_RETURN(std::string bytes, ReadInputFile(path));
  if (!absl::EndsWith(path, ".zst")) return bytes;
  return Decompress(bytes, path);
}

}  // namespace chuhe
