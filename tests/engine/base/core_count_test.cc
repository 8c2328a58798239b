#include "engine/base/core_count.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

class CoresOfControlGroupsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = ::testing::TempDir() + "chuhe_cgroup_" + test->name();
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  std::string root_;
};

TEST_F(CoresOfControlGroupsTest, ReadsAQuotaOfVersion2) {
  Write("a/b/cpu.max", "300000 100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "0::/a/b\n"), 3);
}

TEST_F(CoresOfControlGroupsTest, CountsWholeCoresButAtLeastOne) {
  Write("a/cpu.max", "250000 100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "0::/a\n"), 2);
  Write("a/cpu.max", "50000 100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "0::/a\n"), 1);
}

TEST_F(CoresOfControlGroupsTest, TheTightestGroupAboveCounts) {
  Write("cpu.max", "800000 100000\n");
  Write("a/cpu.max", "200000 100000\n");
  Write("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "0::/a/b\n"), 2);
  EXPECT_EQ(CoresOfControlGroups(root_, "0::/\n"), 8);
}

TEST_F(CoresOfControlGroupsTest, ReadsAQuotaOfVersion1) {
  Write("cpu,cpuacct/a/cpu.cfs_quota_us", "400000\n");
  Write("cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "7:memory:/a\n4:cpu,cpuacct:/a\n"), 4);
  // Mounted under another name, as seen from inside a container.
  Write("cpu/cpu.cfs_quota_us", "600000\n");
  Write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "4:cpuacct,cpu:/docker/1f\n"), 6);
}

TEST_F(CoresOfControlGroupsTest, NoQuotaIsNoBound) {
  Write("a/cpu.max", "max 100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "0::/a\n"), 0);
  Write("cpu/a/cpu.cfs_quota_us", "-1\n");
  Write("cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CoresOfControlGroups(root_, "4:cpu:/a\n"), 0);
  EXPECT_EQ(CoresOfControlGroups(root_, "5:cpuset:/a\n"), 0);
}

TEST_F(CoresOfControlGroupsTest, TextThatIsNotAsExpectedIsNoBound) {
  Write("a/cpu.max", "some cores\n");
  for (const char* const text :
       {"", "\n", "0", "0:", "0::", "::", "0::/a", "0::/../..", "x:cpu:y"}) {
    EXPECT_EQ(CoresOfControlGroups(root_, text), 0) << text;
  }
}

TEST(AvailableCoresTest, LiesBetweenOneAndWhatTheMachineHas) {
  EXPECT_GE(AvailableCores(), 1);
  EXPECT_LE(AvailableCores(), std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace chuhe
