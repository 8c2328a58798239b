#include "nets/onednn/precision_cache.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/random.h"

namespace chuhe {
namespace {

std::string Contents(absl::string_view question, CpuPrecision answer) {
  return absl::StrCat("chuhe precision 1\n", question, "\n", CpuPrecisionName(answer), "\n");
}

}  // namespace

std::string DefaultCacheFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return absl::StrCat(cache, "/chuhe");
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return absl::StrCat(home, "/.cache/chuhe");
  return "";
}

std::string PrecisionCache::PathOf(absl::string_view question) const {
  const uint64_t hash = StreamId(std::string_view(question.data(), question.size()));
  return absl::StrCat(folder_, "/precision-", absl::Hex(hash, absl::kZeroPad16), ".txt");
}

std::optional<CpuPrecision> PrecisionCache::Recall(absl::string_view question) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(PathOf(question), std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) return std::nullopt;
  for (const CpuPrecision precision :
       {CpuPrecision::kFp32, CpuPrecision::kBf16, CpuPrecision::kInt8}) {
    if (text.str() == Contents(question, precision)) return precision;
  }
  return std::nullopt;
}

void PrecisionCache::Remember(absl::string_view question, CpuPrecision answer) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return;
  // Written aside under a name of its own and renamed, so that nobody reads half a file.
  std::random_device device;
  const std::string path = PathOf(question);
  const std::string aside = absl::StrCat(path, ".", device(), ".", device());
  std::ofstream file(aside, std::ios::binary);
  file << Contents(question, answer);
  file.close();
  if (file) std::filesystem::rename(aside, path, error);
  if (!file || error) std::filesystem::remove(aside, error);
}

}  // namespace chuhe
