#include "train/event_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

TEST(EventFileTest, ChecksumIsCastagnolis) {
  // Check value of the catalogue of CRC algorithms; the others are of RFC 3720, B.4.
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
}

TEST(EventFileTest, FramesFollowEachOther) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "event_file_test";
  std::filesystem::remove_all(folder);
  {
    auto events = EventFile::Create(folder.string());
    ASSERT_TRUE(events.ok()) << events.status();
    ASSERT_TRUE(events->AddScalar("loss/policy", 300, 2.5f).ok());
    ASSERT_TRUE(events->Flush().ok());
  }
  const std::filesystem::directory_iterator files(folder);
  ASSERT_NE(files, std::filesystem::directory_iterator());
  std::ifstream file(files->path(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  int frames = 0;
  for (size_t at = 0; at < bytes.size(); ++frames) {
    ASSERT_LE(at + 12, bytes.size());
    const auto size = static_cast<size_t>(static_cast<unsigned char>(bytes[at]));
    if (frames == 1) {
      const std::string event = bytes.substr(at + 12, size);
      EXPECT_NE(event.find("loss/policy"), std::string::npos);
      EXPECT_NE(event.find(std::string("\x10\xac\x02", 3)), std::string::npos);      // step 300
      EXPECT_NE(event.find(std::string("\x15\0\0\x20\x40", 5)), std::string::npos);  // 2.5
    }
    at += size + 16;
    ASSERT_LE(at, bytes.size());
  }
  EXPECT_EQ(frames, 2);
}

TEST(EventFileTest, AFolderThatCannotBeIsAnError) {
  EXPECT_FALSE(EventFile::Create("/dev/null/events").ok());
}

}  // namespace
}  // namespace chuhe
