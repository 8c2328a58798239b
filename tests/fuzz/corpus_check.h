// A fuzzer's corpus with every compiler.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace chuhe::testing {

// Files `ok_…` of the folder are what `check` accepts, all others are not. Expects so many of each
// kind at least, for a corpus that is not there proves nothing.
inline void CheckCorpus(const std::string& folder, int least_good, int least_bad,
                        const std::function<absl::Status(const std::string& bytes)>& check) {
  int good = 0;
  int bad = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    ASSERT_TRUE(file) << entry.path();
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const absl::Status status = check(bytes);
    const bool expect_good = entry.path().filename().string().rfind("ok_", 0) == 0;
    EXPECT_EQ(status.ok(), expect_good) << entry.path() << ": " << status;
    ++(expect_good ? good : bad);
  }
  EXPECT_GE(good, least_good);
  EXPECT_GE(bad, least_bad);
}

}  // namespace chuhe::testing
