// The fuzzer's corpus with every compiler: files `ok_…` are game records, all others are not.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fuzz/game_record_check.h"

namespace chuhe {
namespace {

TEST(GameRecordCorpusTest, EveryFileIsReadOrRefused) {
  int good = 0;
  int bad = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CHUHE_FUZZ_CORPUS)) {
    std::ifstream file(entry.path(), std::ios::binary);
    ASSERT_TRUE(file) << entry.path();
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const absl::Status status = CheckGameRecord(bytes);
    const bool expect_good = entry.path().filename().string().rfind("ok_", 0) == 0;
    EXPECT_EQ(status.ok(), expect_good) << entry.path() << ": " << status;
    ++(expect_good ? good : bad);
  }
  EXPECT_GE(good, 3);
  EXPECT_GE(bad, 8);
}

}  // namespace
}  // namespace chuhe
