#include "nets/cuda/loader.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

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

}  // namespace
}  // namespace chuhe
