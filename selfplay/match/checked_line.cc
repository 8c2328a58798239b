#include "selfplay/match/checked_line.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace chuhe {
namespace {

constexpr size_t kChecksumDigits = 16;

uint64_t Checksum(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string Digits(absl::string_view text) {
  return absl::StrCat(absl::Hex(Checksum(text), absl::kZeroPad16));
}

}  // namespace

std::string CheckedLine(absl::string_view text) {
  return absl::StrCat(Digits(text), " ", text, "\n");
}

std::optional<absl::string_view> CheckedText(absl::string_view line) {
  if (line.size() <= kChecksumDigits || line[kChecksumDigits] != ' ') return std::nullopt;
  const absl::string_view text = line.substr(kChecksumDigits + 1);
  if (line.substr(0, kChecksumDigits) != absl::string_view(Digits(text))) return std::nullopt;
  return text;
}

absl::Status WriteAll(const std::string& path, int fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return absl::UnavailableError(absl::StrCat(path, ": cannot write: ", std::strerror(errno)));
    }
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

}  // namespace chuhe
