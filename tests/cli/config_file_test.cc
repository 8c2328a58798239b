#include "cli/config_file.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temporary_folder.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

class ConfigFileTest : public ::testing::Test {
 protected:
  ConfigFileTest() {
    table_.AddInt("train.batch_size", &batch_size_, 1, 1000, "samples a step");
    table_.AddDouble("train.rate", &rate_, 0, 1, "of learning");
    table_.AddString("name", &name_, "of the run");
  }
  absl::Status Read(const std::string& text) {
    const std::string path = folder_.path("config_file_test.yaml");
    std::ofstream(path) << text;
    return ReadConfigFile(path, &table_);
  }

  int batch_size_ = 256;
  double rate_ = 0.5;
  std::string name_ = "first";
  OptionTable table_;

 private:
  const testing::TemporaryFolder folder_;
};

TEST_F(ConfigFileTest, SectionsBecomeDottedKeys) {
  ASSERT_TRUE(Read("# a comment\nname: 象棋 2\ntrain:\n  batch_size: 64\n  rate: 0.25\n").ok());
  EXPECT_EQ(batch_size_, 64);
  EXPECT_EQ(rate_, 0.25);
  EXPECT_EQ(name_, "象棋 2");
}

TEST_F(ConfigFileTest, EmptyFilesAndSectionsSetNothing) {
  EXPECT_TRUE(Read("").ok());
  EXPECT_TRUE(Read("train:\n").ok());
  EXPECT_EQ(batch_size_, 256);
}

TEST_F(ConfigFileTest, ErrorsNameFileAndLine) {
  EXPECT_THAT(
      Read("name: x\ntrain:\n  batch_szie: 64\n").message(),
      ::testing::AllOf(HasSubstr("config_file_test.yaml:3"), HasSubstr("train.batch_size")));
  EXPECT_THAT(Read("train:\n  batch_size: many\n").message(),
              ::testing::AllOf(HasSubstr(":2"), HasSubstr("many")));
  EXPECT_THAT(Read("train: {batch_size: [1, 2]}\n").message(), HasSubstr("is a list"));
  EXPECT_THAT(Read("train:\n  - : :\n x").message(), HasSubstr("not valid YAML"));
  EXPECT_EQ(ReadConfigFile("no such.yaml", &table_).code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(ReadConfigFile("/", &table_).message(), HasSubstr("a folder"));
}

TEST_F(ConfigFileTest, SettingsOfTheCommandLine) {
  EXPECT_TRUE(ApplySettings({"train.batch_size=8", "name=a=b"}, &table_).ok());
  EXPECT_EQ(batch_size_, 8);
  EXPECT_EQ(name_, "a=b");
  EXPECT_THAT(ApplySettings({"train.batch_size"}, &table_).message(), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(ApplySettings({"train.batch_size=0"}, &table_).message(), HasSubstr("--set"));
}

TEST_F(ConfigFileTest, WhatIsWrittenIsReadBack) {
  ASSERT_TRUE(
      ApplySettings({"train.batch_size=8", "train.rate=0.125", "name=x: y #"}, &table_).ok());
  const std::string text = FormatConfig(table_);
  batch_size_ = 1;
  rate_ = 0;
  name_ = "";
  ASSERT_TRUE(Read(text).ok()) << text;
  EXPECT_EQ(batch_size_, 8);
  EXPECT_EQ(rate_, 0.125);
  EXPECT_EQ(name_, "x: y #");
}

}  // namespace
}  // namespace chuhe
