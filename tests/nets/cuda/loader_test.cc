#include "nets/cuda/loader.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/cuda/cuda_evaluator.h"
#include "nets/weights/initialise.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

TEST(CudaLibraryTest, MissingLibraryIsNotFoundAndNamed) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open("libchuhe_no_such_library.so");
  EXPECT_EQ(library.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(library.status()), HasSubstr("libchuhe_no_such_library.so"));
}

TEST(CudaLibraryTest, LibraryOfAnotherKindIsRefused) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open("libc.so.6");
  EXPECT_EQ(library.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(library.status()), HasSubstr("chuhe_cuda_api_version"));
}

class BuiltCudaLibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(CHUHE_CUDA_LIBRARY).empty()) {
      GTEST_SKIP() << "built without CUDA";
    }
  }
};

TEST_F(BuiltCudaLibraryTest, OpensAndListsDevicesOrSaysWhyThereAreNone) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open(CHUHE_CUDA_LIBRARY);
  ASSERT_TRUE(library.ok()) << library.status();
  const absl::StatusOr<std::vector<CudaDevice>> devices = library->ListDevices();
  if (devices.ok()) {
    EXPECT_FALSE(devices->empty());
  } else {
    EXPECT_EQ(devices.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(MessageOf(devices.status()), HasSubstr("cudaGetDeviceCount: "));
  }
}

TEST_F(BuiltCudaLibraryTest, SelfTestOfADeviceThatIsNotThereFails) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open(CHUHE_CUDA_LIBRARY);
  ASSERT_TRUE(library.ok()) << library.status();
  const absl::Status status = library->SelfTest(1000);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(MessageOf(status), HasSubstr("CUDA device 1000: cudaSetDevice: "));
}

// What the program sees where the library is there and no GPU is.
TEST_F(BuiltCudaLibraryTest, EvaluatorsOfAMachineWithoutADeviceAreUnavailable) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open(CHUHE_CUDA_LIBRARY);
  ASSERT_TRUE(library.ok()) << library.status();
  if (library->ListDevices().ok()) {
    GTEST_SKIP() << "this machine has a device";
  }
  const auto evaluators =
      OpenCudaEvaluators({0}, InitialNetwork(MakeArchitecture(1, 16), 1), {}, CHUHE_CUDA_LIBRARY);
  EXPECT_EQ(evaluators.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(MessageOf(evaluators.status()), HasSubstr("cudaGetDeviceCount: "));
}

TEST_F(BuiltCudaLibraryTest, AnEvaluatorOnADeviceThatIsNotThereFailsWithCudasReason) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open(CHUHE_CUDA_LIBRARY);
  ASSERT_TRUE(library.ok()) << library.status();
  const auto network =
      PreparedNetwork::Make(InitialNetwork(MakeArchitecture(1, 16), 1), CudaPrecision::kFloat16);
  ASSERT_TRUE(network.ok()) << network.status();
  const absl::Status status = CudaEvaluator::Create(*library, *network, 1000, 8).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(MessageOf(status), HasSubstr("CUDA device 1000: cudaSetDevice: "));
}

TEST_F(BuiltCudaLibraryTest, ANetworkOfTheWrongSizeIsRefused) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open(CHUHE_CUDA_LIBRARY);
  ASSERT_TRUE(library.ok()) << library.status();
  const auto network =
      PreparedNetwork::Make(InitialNetwork(MakeArchitecture(1, 16), 1), CudaPrecision::kFloat16);
  ASSERT_TRUE(network.ok()) << network.status();
  const CudaApiShape shape = network->shape();
  CudaApiEvaluator* evaluator = nullptr;
  char error[kCudaTextSize] = "";
  EXPECT_LT(library->functions().create(&shape, network->bytes().data(),
                                        network->bytes().size() - 1, 0, 8, &evaluator, error),
            0);
  EXPECT_THAT(std::string(error), HasSubstr("bytes, its shape needs"));
  EXPECT_EQ(evaluator, nullptr);
}

}  // namespace
}  // namespace chuhe
