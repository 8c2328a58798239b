#include "selfplay/records/compressed_file.h"

#include <zstd.h>

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

std::string Compressed(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

class CompressedFileTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> ReadAs(const std::string& name, const std::string& bytes) {
    const std::string path = folder_.path(name);
    std::ofstream(path, std::ios::binary) << bytes;
    return ReadMaybeCompressed(path);
  }
  testing::TemporaryFolder folder_;
};

TEST_F(CompressedFileTest, ReadsPlainAndCompressedFiles) {
  const std::string long_text(1'000'000, 'x');
  EXPECT_EQ(ReadAs("a.txt", "plain").value(), "plain");
  EXPECT_EQ(ReadAs("a.zst", Compressed(long_text)).value(), long_text);
  EXPECT_EQ(ReadAs("b.zst", Compressed("one ") + Compressed("two")).value(), "one two");
  EXPECT_EQ(ReadAs("c.zst", Compressed("")).value(), "");
}

TEST_F(CompressedFileTest, RefusesWhatIsNotWhole) {
  const std::string bytes = Compressed("some text that is long enough to be cut");
  const auto cut = ReadAs("cut.zst", bytes.substr(0, bytes.size() - 3));
  EXPECT_THAT(std::string(cut.status().message()), HasSubstr("ends in the middle"));
  const auto other = ReadAs("other.zst", "this is no zstd data at all");
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("not valid zstd data"));
  EXPECT_FALSE(ReadMaybeCompressed(folder_.path("nothing")).ok());
}

}  // namespace
}  // namespace chuhe
