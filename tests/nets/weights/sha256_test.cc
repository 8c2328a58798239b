#include "nets/weights/sha256.h"

#include <string>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

// FIPS 180-2, appendix B.
TEST(Sha256Test, KnownHashes) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, KnowsWhatAHashLooksLike) {
  EXPECT_TRUE(IsSha256Hex(Sha256Hex("abc")));
  EXPECT_TRUE(IsSha256Hex(std::string(64, 'F')));
  EXPECT_FALSE(IsSha256Hex(""));
  EXPECT_FALSE(IsSha256Hex(std::string(63, '0')));
  EXPECT_FALSE(IsSha256Hex(std::string(65, '0')));
  EXPECT_FALSE(IsSha256Hex(std::string(63, '0') + "g"));
}

}  // namespace
}  // namespace chuhe
