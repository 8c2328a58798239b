#include "nets/weights/architecture.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/weights/tensors.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

TEST(ArchitectureTest, NamedSizesAreWhatTheDesignSays) {
  const struct {
    const char* name;
    int blocks;
    int channels;
  } kCases[] = {
      {"tiny", 4, 32}, {"small", 6, 64}, {"medium", 10, 128}, {"large", 15, 192}, {"xl", 20, 256}};
  for (const auto& test : kCases) {
    const absl::StatusOr<Architecture> architecture = ParseArchitecture(test.name);
    ASSERT_TRUE(architecture.ok()) << test.name;
    EXPECT_EQ(*architecture, MakeArchitecture(test.blocks, test.channels)) << test.name;
    EXPECT_EQ(architecture->blocks, test.blocks);
    EXPECT_EQ(architecture->channels, test.channels);
    EXPECT_TRUE(CheckArchitecture(*architecture).ok());
    EXPECT_EQ(ArchitectureName(*architecture), test.name);
  }
}

TEST(ArchitectureTest, OtherSizesAreNamedByTheirNumbers) {
  for (const char* name : {"1x16", "3x48", "64x512", "5X32"}) {
    const absl::StatusOr<Architecture> architecture = ParseArchitecture(name);
    ASSERT_TRUE(architecture.ok()) << architecture.status();
  }
  EXPECT_EQ(ArchitectureName(MakeArchitecture(3, 48)), "3x48");
  EXPECT_EQ(ParseArchitecture("6x64").value(), ParseArchitecture("SMALL").value());
  Architecture changed = MakeArchitecture(6, 64);
  changed.global_blocks = {2};
  EXPECT_EQ(ArchitectureName(changed), "6x64");
}

TEST(ArchitectureTest, RefusesSizesAndSaysWhatWasExpected) {
  const struct {
    const char* text;
    const char* error;
  } kCases[] = {{"huge", "expected tiny, small"},
                {"", "expected tiny"},
                {"x", "expected tiny"},
                {"6x", "expected tiny"},
                {"x64", "expected tiny"},
                {"6x64x2", "expected tiny"},
                {"-6x64", "expected tiny"},
                {"6x 64", "expected tiny"},
                {"+6x64", "expected tiny"},
                {"99999999999x64", "expected tiny"},
                {"0x64", "blocks is 0"},
                {"65x64", "blocks is 65"},
                {"6x65", "channels is 65, expected a multiple of 16"},
                {"6x0", "channels is 0"},
                {"6x528", "channels is 528"}};
  for (const auto& test : kCases) {
    const absl::Status status = ParseArchitecture(test.text).status();
    EXPECT_FALSE(status.ok()) << test.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(test.error));
    EXPECT_THAT(std::string(status.message()), HasSubstr("'" + std::string(test.text) + "'"));
  }
}

TEST(ArchitectureTest, ChecksEveryNumber) {
  const struct {
    const char* name;
    void (*spoil)(Architecture*);
  } kCases[] = {
      {"blocks", [](Architecture* a) { a->blocks = -1; }},
      {"channels", [](Architecture* a) { a->channels = -16; }},
      {"policy_channels", [](Architecture* a) { a->policy_channels = 24; }},
      {"value_channels", [](Architecture* a) { a->value_channels = 0; }},
      {"value_hidden", [](Architecture* a) { a->value_hidden = 1 << 30; }},
      {"global_blocks", [](Architecture* a) { a->global_blocks = {6}; }},
      {"global_blocks", [](Architecture* a) { a->global_blocks = {-1}; }},
      {"global_blocks",
       [](Architecture* a) {
         a->global_blocks = {1, 1};
       }},
      {"global_blocks",
       [](Architecture* a) {
         a->global_blocks = {3, 2};
       }},
  };
  for (const auto& test : kCases) {
    Architecture architecture = MakeArchitecture(6, 64);
    ASSERT_TRUE(CheckArchitecture(architecture).ok());
    test.spoil(&architecture);
    EXPECT_THAT(std::string(CheckArchitecture(architecture).message()), HasSubstr(test.name));
  }
  Architecture every_block = MakeArchitecture(3, 64);
  every_block.global_blocks = {0, 1, 2};
  EXPECT_TRUE(CheckArchitecture(every_block).ok());
}

// Each number of a convolution is used once a point, padding included.
TEST(ArchitectureTest, FlopCountsEveryUseOfEveryNumber) {
  Architecture architecture = MakeArchitecture(5, 48);
  architecture.global_blocks = {1, 4};
  NetworkWeights network;
  network.architecture = architecture;
  SetBlockCount(TensorGroup::kWeights, &network);
  double multiplications = 0;
  for (const Tensor& tensor : ListTensors(TensorGroup::kWeights, &network)) {
    const bool is_bias = tensor.name.find("bias") != std::string::npos;
    const bool is_convolution = tensor.shape.size() == 4;
    const bool is_logit = tensor.name == "policy.from.weight" || tensor.name == "policy.to.weight";
    const double uses = is_bias ? 0 : is_convolution ? 90 : is_logit ? 40.0 / 50 : 1;
    multiplications += uses * static_cast<double>(tensor.size());
  }
  EXPECT_DOUBLE_EQ(FlopPerEvaluation(architecture), 2 * multiplications);
}

TEST(ArchitectureTest, ParametersOfTheSmallNetwork) {
  const size_t stem = 64 * 48 * 9 + 64;
  const size_t blocks = 6 * 2 * (64 * 64 * 9 + 64);
  const size_t policy = 64 * 64 + 64 + 2 * 50 * 64 + 50;
  const size_t value = 8 * 64 + 8 + 64 * 720 + 64 + 3 * 64 + 3 + 64 + 1;
  EXPECT_EQ(ParameterCount(MakeArchitecture(6, 64)), stem + blocks + policy + value);
}

}  // namespace
}  // namespace chuhe
