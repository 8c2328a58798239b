#include "engine/base/input_file.h"

#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

TEST(ReadInputFileTest, ReadsEveryByte) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("a");
  const std::string bytes("a\r\n\0\xff", 5);
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(ReadInputFile(path).value(), bytes);
  std::ofstream(path, std::ios::binary | std::ios::trunc).flush();
  EXPECT_EQ(ReadInputFile(path).value(), "");
}

TEST(ReadInputFileTest, NamesWhatCannotBeRead) {
  const testing::TemporaryFolder folder;
  const absl::Status none = ReadInputFile(folder.path("none")).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(none.message()), HasSubstr(folder.path("none")));
  EXPECT_THAT(std::string(ReadInputFile(folder.path("")).status().message()),
              HasSubstr(folder.path("") + ": a folder, expected a file"));
}

}  // namespace
}  // namespace chuhe
