#include "nets/onednn/cpu_evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "nets/features/random_positions.h"
#include "nets/onednn/calibrate.h"
#include "nets/onednn/precision_choice.h"
#include "tests/nets/reference/lively_network.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class CpuEvaluatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = (fs::path(testing::TempDir()) /
               (std::string("chuhe_") + test->name() + "_" + std::to_string(getpid())))
                  .string();
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static NetworkWeights SmallNetwork(bool is_calibrated) {
    NetworkWeights network = LivelyNetwork(MakeArchitecture(1, 32), 1);
    if (is_calibrated) {
      EXPECT_TRUE(Calibrate(&network, RandomPositions(16, 1)).ok());
    }
    return network;
  }

  std::string folder_;
};

TEST_F(CpuEvaluatorTest, RemembersItsChoice) {
  const NetworkWeights network = SmallNetwork(true);
  const auto choice = ChoosePrecision(network, folder_);
  ASSERT_TRUE(choice.ok()) << choice.status();
  const PrecisionCache cache(folder_);
  const std::string question = PrecisionQuestion(network);
  EXPECT_EQ(cache.Recall(question), *choice);
  // What is remembered is not measured again: another answer is believed.
  const CpuPrecision other =
      *choice == CpuPrecision::kFp32 ? CpuPrecision::kInt8 : CpuPrecision::kFp32;
  cache.Remember(question, other);
  EXPECT_EQ(*ChoosePrecision(network, folder_), other);
  // One file, and nothing left beside it.
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(CpuEvaluatorTest, MeasuresAgainWhereTheCacheIsDamaged) {
  const NetworkWeights network = SmallNetwork(false);
  ASSERT_TRUE(ChoosePrecision(network, folder_).ok());
  const std::string path = PrecisionCache(folder_).PathOf(PrecisionQuestion(network));
  for (const char* text : {"", "chuhe precision 1\n", "\xff\xfe rubbish", "int8\n"}) {
    std::ofstream(path, std::ios::trunc) << text;
    EXPECT_EQ(PrecisionCache(folder_).Recall(PrecisionQuestion(network)), std::nullopt) << text;
    EXPECT_TRUE(ChoosePrecision(network, folder_).ok());
    EXPECT_NE(PrecisionCache(folder_).Recall(PrecisionQuestion(network)), std::nullopt);
  }
}

TEST_F(CpuEvaluatorTest, DoesWithoutACache) {
  const NetworkWeights network = SmallNetwork(false);
  EXPECT_TRUE(ChoosePrecision(network, "").ok());
  // A file where a folder should be cannot be written to, not even by root.
  std::ofstream(folder_) << "in the way";
  EXPECT_TRUE(ChoosePrecision(network, folder_).ok());
  EXPECT_TRUE(ChoosePrecision(network, folder_ + "/deeper").ok());
}

TEST_F(CpuEvaluatorTest, DoesNotBelieveACacheThatAsksForTheImpossible) {
  const NetworkWeights network = SmallNetwork(false);
  PrecisionCache(folder_).Remember(PrecisionQuestion(network), CpuPrecision::kInt8);
  EXPECT_NE(*ChoosePrecision(network, folder_), CpuPrecision::kInt8);
}

TEST_F(CpuEvaluatorTest, QuestionTellsShapesApart) {
  const NetworkWeights network = SmallNetwork(true);
  NetworkWeights wider = network;
  wider.architecture.channels = 48;
  NetworkWeights uncalibrated = network;
  uncalibrated.calibration = {};
  EXPECT_NE(PrecisionQuestion(network), PrecisionQuestion(wider));
  EXPECT_NE(PrecisionQuestion(network), PrecisionQuestion(uncalibrated));
}

TEST_F(CpuEvaluatorTest, OpensInThePrecisionThatWasAskedFor) {
  const NetworkWeights network = SmallNetwork(true);
  for (const CpuPrecision precision :
       {CpuPrecision::kFp32, CpuPrecision::kBf16, CpuPrecision::kInt8}) {
    const auto packed = OpenCpuNetwork(network, {.precision = precision, .cache_folder = folder_});
    if (!CpuHas(precision)) {
      EXPECT_EQ(packed.status().code(), absl::StatusCode::kFailedPrecondition);
      continue;
    }
    ASSERT_TRUE(packed.ok()) << packed.status();
    EXPECT_EQ(PrecisionOf(**packed), precision);
    EXPECT_THAT(Describe(**packed), HasSubstr(std::string(CpuPrecisionName(precision))));
    EXPECT_THAT(Describe(**packed), HasSubstr("1x32"));
    EXPECT_TRUE(MakeCpuEvaluator(*packed).ok());
  }
}

TEST_F(CpuEvaluatorTest, AnswersQuestions) {
  std::vector<EvaluationRequest> requests = RandomRequests(3, 1);
  const auto evaluator = OpenCpuEvaluator(SmallNetwork(true), {.cache_folder = folder_});
  ASSERT_TRUE(evaluator.ok()) << evaluator.status();
  (*evaluator)->Evaluate(requests);
  for (const EvaluationRequest& request : requests) {
    EXPECT_NEAR(request.wdl.win + request.wdl.draw + request.wdl.loss, 1, 1e-5);
  }
}

TEST(CpuPrecisionTest, NamesReadBack) {
  for (const CpuPrecision precision :
       {CpuPrecision::kFp32, CpuPrecision::kBf16, CpuPrecision::kInt8}) {
    EXPECT_EQ(*ParseCpuPrecision(CpuPrecisionName(precision)), precision);
  }
  const absl::Status status = ParseCpuPrecision("fp8").status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("'fp8': expected fp32, bf16 or int8"));
}

TEST(PrecisionCacheTest, DefaultFolderFollowsTheEnvironment) {
  setenv("HOME", "/home/somebody", 1);
  unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(DefaultCacheFolder(), "/home/somebody/.cache/chuhe");
  setenv("XDG_CACHE_HOME", "/elsewhere", 1);
  EXPECT_EQ(DefaultCacheFolder(), "/elsewhere/chuhe");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(DefaultCacheFolder(), "");
}

}  // namespace
}  // namespace chuhe
