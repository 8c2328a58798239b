#include "nets/weights/weights_file.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/weights/half.h"
#include "nets/weights/initialise.h"
#include "nets/weights/safetensors.h"
#include "nets/weights/sha256.h"
#include "nets/weights/tensors.h"
#include "tests/nets/weights/random_network.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Text(const absl::Status& status) { return std::string(status.message()); }

TEST(WeightsFileTest, EverythingComesBackFromBothStorageTypes) {
  const NetworkWeights network = NetworkOfEverything(SmallestArchitecture());
  for (const StorageType storage : {StorageType::kFloat32, StorageType::kFloat16}) {
    const std::string bytes = SerializeNetwork(network, storage).value();
    const absl::StatusOr<NamedNetwork> back = ParseNetwork(bytes, "net");
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(DifferingTensors(back->weights, network), "");
    EXPECT_TRUE(HaveEqualMetadata(back->weights, network));
    EXPECT_EQ(back->storage, storage);
    EXPECT_EQ(back->sha256, Sha256Hex(bytes));
    EXPECT_EQ(SerializeNetwork(back->weights, storage).value(), bytes);
  }
}

TEST(WeightsFileTest, OptionalGroupsStayAwayEachForItself) {
  for (const bool calibrated : {false, true}) {
    for (const bool with_norms : {false, true}) {
      NetworkWeights network = NetworkOfEverything(SmallestArchitecture());
      if (!calibrated) network.calibration = {};
      if (!with_norms) network.norms = {};
      const absl::StatusOr<NamedNetwork> back =
          ParseNetwork(SerializeNetwork(network, StorageType::kFloat16).value(), "net");
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_EQ(DifferingTensors(back->weights, network), "");
      EXPECT_EQ(back->weights.calibration.empty(), !calibrated);
      EXPECT_EQ(back->weights.norms.empty(), !with_norms);
    }
  }
}

TEST(WeightsFileTest, LargerArchitecturesComeBack) {
  Architecture architecture = MakeArchitecture(12, 48);
  architecture.global_blocks = {0, 3, 11};
  const NetworkWeights network = NetworkOfEverything(architecture);
  const absl::StatusOr<NamedNetwork> back =
      ParseNetwork(SerializeNetwork(network, StorageType::kFloat32).value(), "net");
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(DifferingTensors(back->weights, network), "");
  EXPECT_EQ(back->weights.architecture, architecture);
}

// The names and shapes of docs/formats.md, which other programs rely on.
TEST(WeightsFileTest, TensorsHaveTheirDocumentedNamesAndShapes) {
  const std::string bytes =
      SerializeNetwork(NetworkOfEverything(SmallestArchitecture()), StorageType::kFloat16).value();
  const SafetensorsHeader header = ParseSafetensors(bytes).value();
  std::vector<std::string> lines;
  for (const SafetensorsTensor& tensor : header.tensors) {
    std::string line = tensor.name + " " + std::string(SafetensorsTypeName(tensor.type));
    for (const uint64_t dimension : tensor.shape) line += " " + std::to_string(dimension);
    lines.push_back(line);
  }
  EXPECT_THAT(
      lines,
      ElementsAre(
          "calibration.stem F32 16", "calibration.blocks.0.inner F32 16",
          "calibration.blocks.0.output F32 16", "calibration.blocks.1.inner F32 16",
          "calibration.blocks.1.output F32 16", "calibration.policy F32 16",
          "calibration.value F32 1", "norm.stem.mean F32 16", "norm.stem.deviation F32 16",
          "norm.blocks.0.conv1.mean F32 16", "norm.blocks.0.conv1.deviation F32 16",
          "norm.blocks.0.conv2.mean F32 16", "norm.blocks.0.conv2.deviation F32 16",
          "norm.blocks.1.conv1.mean F32 16", "norm.blocks.1.conv1.deviation F32 16",
          "norm.blocks.1.conv2.mean F32 16", "norm.blocks.1.conv2.deviation F32 16",
          "norm.policy.mean F32 16", "norm.policy.deviation F32 16", "norm.value.mean F32 1",
          "norm.value.deviation F32 1", "stem.weight F16 16 48 3 3", "stem.bias F16 16",
          "blocks.0.conv1.weight F16 16 16 3 3", "blocks.0.conv1.bias F16 16",
          "blocks.0.conv2.weight F16 16 16 3 3", "blocks.0.conv2.bias F16 16",
          "blocks.1.conv1.weight F16 16 16 3 3", "blocks.1.conv1.bias F16 16",
          "blocks.1.conv2.weight F16 16 16 3 3", "blocks.1.conv2.bias F16 16",
          "blocks.1.global.weight F16 16 16", "policy.conv.weight F16 16 16 1 1",
          "policy.conv.bias F16 16", "policy.from.weight F16 50 16", "policy.to.weight F16 50 16",
          "policy.bias F16 50", "value.conv.weight F16 1 16 1 1", "value.conv.bias F16 1",
          "value.hidden.weight F16 1 90", "value.hidden.bias F16 1", "value.wdl.weight F16 3 1",
          "value.wdl.bias F16 3", "value.plies_left.weight F16 1 1",
          "value.plies_left.bias F16 1"));
  EXPECT_EQ(header.data_offset % 8, 0U);
  EXPECT_EQ(header.metadata.at("chuhe.format"), "1");
  EXPECT_EQ(header.metadata.at("architecture"),
            R"({"blocks":2,"channels":16,"policy_channels":16,"value_channels":1,)"
            R"("value_hidden":1,"global_blocks":[1]})");
  EXPECT_EQ(header.metadata.at("feature_set"), "1");
  EXPECT_EQ(header.metadata.at("rule_set"), "axf");
  EXPECT_EQ(header.metadata.at("training_steps"), "123456789012");
  EXPECT_EQ(header.metadata.at("parent"), std::string(64, 'a'));
}

TEST(WeightsFileTest, SixteenBitsAreTheNearestOnes) {
  NetworkWeights network = NetworkOfEverything(SmallestArchitecture());
  network.stem.weight[7] = 0.1F;
  network.stem.weight[8] = 1e-9F;
  network.calibration.stem[3] = 0.1F;
  const NamedNetwork back =
      ParseNetwork(SerializeNetwork(network, StorageType::kFloat16).value(), "net").value();
  EXPECT_EQ(back.weights.stem.weight[7], FloatFromHalf(HalfFromFloat(0.1F)));
  EXPECT_EQ(back.weights.stem.weight[8], 0.0F);
  EXPECT_EQ(back.weights.calibration.stem[3], 0.1F);  // never in 16 bits
}

TEST(WeightsFileTest, RefusesToWriteWhatItWouldNotRead) {
  const struct {
    const char* error;
    void (*spoil)(NetworkWeights*);
  } kCases[] = {
      {"tensor 'stem.weight': number 5 is nan",
       [](NetworkWeights* n) { n->stem.weight[5] = std::numeric_limits<float>::quiet_NaN(); }},
      {"tensor 'value.wdl.bias': number 2 is -inf",
       [](NetworkWeights* n) { n->wdl.bias[2] = -std::numeric_limits<float>::infinity(); }},
      {"tensor 'policy.bias': number 49 is 70000, beyond the 65504",
       [](NetworkWeights* n) { n->policy_bias[49] = 70000; }},
      {"tensor 'calibration.policy': number 1 is -1",
       [](NetworkWeights* n) { n->calibration.policy[1] = -1; }},
      {"tensor 'norm.blocks.0.conv1.deviation': number 0 is -1",
       [](NetworkWeights* n) { n->norms.conv1[0].deviation[0] = -1; }},
      {"tensor 'stem.bias': has 15 numbers, expected shape [16]",
       [](NetworkWeights* n) { n->stem.bias.pop_back(); }},
      {"2 blocks are expected", [](NetworkWeights* n) { n->blocks.pop_back(); }},
      {"calibration.blocks", [](NetworkWeights* n) { n->calibration.blocks.clear(); }},
      {"tensor 'calibration.stem': has 0", [](NetworkWeights* n) { n->calibration.stem.clear(); }},
      {"norm.blocks", [](NetworkWeights* n) { n->norms.conv2.pop_back(); }},
      {"tensor 'blocks.1.global.weight'", [](NetworkWeights* n) { n->blocks[1].global.clear(); }},
      {"global_blocks names 1", [](NetworkWeights* n) { n->blocks[0].global = {1}; }},
      {"channels is 17", [](NetworkWeights* n) { n->architecture.channels = 17; }},
      {"feature set 2", [](NetworkWeights* n) { n->origin.feature_set = 2; }},
      {"'rule_set'", [](NetworkWeights* n) { n->origin.rule_set = "chess"; }},
      {"-1 is below 0", [](NetworkWeights* n) { n->origin.training_steps = -1; }},
      {"'parent'", [](NetworkWeights* n) { n->origin.parent = "abc"; }},
      {"is not UTF-8", [](NetworkWeights* n) { n->origin.note = "\xff"; }},
      {"at most 1048576", [](NetworkWeights* n) { n->origin.note.assign(1 << 20, 'x'); }},
  };
  for (const auto& test : kCases) {
    NetworkWeights network = NetworkOfEverything(SmallestArchitecture());
    test.spoil(&network);
    const absl::StatusOr<std::string> bytes = SerializeNetwork(network, StorageType::kFloat16);
    ASSERT_FALSE(bytes.ok()) << test.error;
    EXPECT_THAT(Text(bytes.status()), HasSubstr(test.error));
  }
}

TEST(WeightsFileTest, RuleSetNamesAreWrittenInOneForm) {
  NetworkWeights network = NetworkOfEverything(SmallestArchitecture());
  const std::string bytes = SerializeNetwork(network, StorageType::kFloat32).value();
  network.origin.rule_set = "AXF";
  network.origin.parent = absl::AsciiStrToUpper(network.origin.parent);
  EXPECT_EQ(SerializeNetwork(network, StorageType::kFloat32).value(), bytes);
}

class StoredNetworkTest : public ::testing::Test {
 protected:
  StoredNetworkTest() : folder_(std::filesystem::path(::testing::TempDir()) / Name()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~StoredNetworkTest() override { std::filesystem::remove_all(folder_); }

  static std::string Name() {
    return std::string("chuhe_") + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  std::string PathOf(const std::string& name) const { return (folder_ / name).string(); }
  size_t FileCount() const {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++count;
    return count;
  }

  NetworkWeights network_ = NetworkOfEverything(SmallestArchitecture());
  std::filesystem::path folder_;
};

TEST_F(StoredNetworkTest, WritesAndReadsUnderItsName) {
  const absl::StatusOr<std::string> sha256 =
      WriteNetwork(network_, StorageType::kFloat16, PathOf("a.safetensors"));
  ASSERT_TRUE(sha256.ok()) << sha256.status();
  for (const std::string& expected : {std::string(), *sha256, absl::AsciiStrToUpper(*sha256)}) {
    const absl::StatusOr<NamedNetwork> back = ReadNetwork(PathOf("a.safetensors"), expected);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(back->sha256, *sha256);
    EXPECT_EQ(DifferingTensors(back->weights, network_), "");
  }
  EXPECT_EQ(FileCount(), 1U);
}

TEST_F(StoredNetworkTest, ReplacesAnOlderFileAsAWhole) {
  std::ofstream(PathOf("a")) << std::string(1 << 20, 'x');
  std::ofstream(PathOf("a.new0")) << "left by a crash";
  ASSERT_TRUE(WriteNetwork(network_, StorageType::kFloat32, PathOf("a")).ok());
  EXPECT_TRUE(ReadNetwork(PathOf("a")).ok());
  EXPECT_EQ(FileCount(), 2U);
}

TEST_F(StoredNetworkTest, NothingIsWrittenAfterAnError) {
  std::ofstream(PathOf("a")) << "old";
  network_.stem.bias[0] = 1e30F;
  const absl::Status status = WriteNetwork(network_, StorageType::kFloat16, PathOf("a")).status();
  EXPECT_THAT(Text(status), HasSubstr(PathOf("a") + ": tensor 'stem.bias'"));
  EXPECT_EQ(std::filesystem::file_size(PathOf("a")), 3U);
  EXPECT_EQ(FileCount(), 1U);
}

TEST_F(StoredNetworkTest, RefusesToReplaceWhatIsNoFile) {
  std::filesystem::create_directory(PathOf("a"));
  for (const std::string& path : {PathOf("a"), PathOf("missing/a"), std::string("/dev/null")}) {
    const absl::Status status = WriteNetwork(network_, StorageType::kFloat32, path).status();
    EXPECT_THAT(Text(status), HasSubstr(path));
  }
  EXPECT_EQ(FileCount(), 1U);
}

TEST_F(StoredNetworkTest, HashesMustMatch) {
  const std::string sha256 = WriteNetwork(network_, StorageType::kFloat32, PathOf("a")).value();
  const std::string other(64, '1');
  EXPECT_THAT(Text(ReadNetwork(PathOf("a"), other).status()),
              HasSubstr(PathOf("a") + ": SHA-256 is " + sha256 + ", expected " + other));
  EXPECT_THAT(Text(ReadNetwork(PathOf("a"), "12ab").status()), HasSubstr("64 hex digits"));
  std::filesystem::copy(PathOf("a"), PathOf(sha256));
  std::filesystem::copy(PathOf("a"), PathOf(sha256 + ".safetensors"));
  std::filesystem::copy(PathOf("a"), PathOf(other + ".safetensors"));
  EXPECT_TRUE(ReadNetwork(PathOf(sha256)).ok());
  EXPECT_TRUE(ReadNetwork(PathOf(sha256 + ".safetensors")).ok());
  EXPECT_THAT(Text(ReadNetwork(PathOf(other + ".safetensors")).status()),
              HasSubstr("named by another"));
}

TEST_F(StoredNetworkTest, FilesThatCannotBeReadAreNamed) {
  std::ofstream(PathOf("empty")).flush();
  std::ofstream(PathOf("huge")).flush();
  std::filesystem::resize_file(PathOf("huge"), kMaxNetworkFileBytes + 1);  // takes no space
  const struct {
    std::string path;
    const char* error;
  } kCases[] = {{PathOf("missing"), "no such file"},
                {folder_.string(), "not a regular file"},
                {"/dev/zero", "not a regular file"},
                {PathOf("empty"), "0 bytes"},
                {PathOf("huge"), "at most 1073741824"}};
  for (const auto& test : kCases) {
    const absl::Status status = ReadNetwork(test.path).status();
    EXPECT_THAT(Text(status), HasSubstr(test.path + ": "));
    EXPECT_THAT(Text(status), HasSubstr(test.error));
  }
}

}  // namespace
}  // namespace chuhe
