#include "nets/weights/sha256.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "sodium/crypto_hash_sha256.h"

namespace chuhe {

std::string Sha256Hex(absl::string_view bytes) {
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(hash, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(hash), sizeof hash));
}

bool IsSha256Hex(absl::string_view text) {
  return text.size() == 2 * crypto_hash_sha256_BYTES &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); });
}

}  // namespace chuhe
