#include "cli/run_settings.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(RunSettingsTest, DefaultFileIsWhatTheTablesSay) {
  EXPECT_EQ(Contents(CHUHE_CONFIGS "/default.yaml"), RunSettings().Document())
      << "configs/default.yaml is what `chuhe loop --document` prints";
}

TEST(RunSettingsTest, DefaultFileChangesNothing) {
  RunSettings settings;
  ASSERT_TRUE(settings.Read(CHUHE_CONFIGS "/default.yaml", {}).ok());
  EXPECT_EQ(settings.Document(), RunSettings().Document());
}

TEST(RunSettingsTest, AllConfigurationsAreRead) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CHUHE_CONFIGS)) {
    RunSettings settings;
    const absl::Status status = settings.Read(entry.path().string(), {});
    EXPECT_TRUE(status.ok()) << status;
    ++files;
  }
  EXPECT_GE(files, 3);
}

TEST(RunSettingsTest, SettingsOfTheCommandLineComeLast) {
  RunSettings settings;
  ASSERT_TRUE(settings
                  .Read(CHUHE_CONFIGS "/smoke.yaml",
                        {"train.size=2x32", "train.seed=7", "loop.generations=9"})
                  .ok());
  EXPECT_EQ(settings.loop.size, "2x32");
  EXPECT_EQ(settings.loop.generations, 9);
  EXPECT_EQ(settings.loop.replay.seed, 7u);
  EXPECT_EQ(settings.loop.replay.batch_size, 64);  // of the file
}

TEST(RunSettingsTest, RefusesDevicesAndPrecisionsThatAreNone) {
  EXPECT_THAT(RunSettings().Read("", {"loop.device=abacus"}).message(), HasSubstr("abacus"));
  EXPECT_THAT(RunSettings().Read("", {"loop.precision=fp7"}).message(), HasSubstr("fp7"));
}

TEST(RunSettingsTest, HelpIsOfTheSectionsThatAreAskedFor) {
  const std::string help = RunSettings().Help({"ladder."});
  EXPECT_THAT(help, HasSubstr("ladder.games"));
  EXPECT_THAT(help, ::testing::Not(HasSubstr("train.")));
}

}  // namespace
}  // namespace chuhe
