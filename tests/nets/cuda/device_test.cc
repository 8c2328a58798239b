// On real devices; skipped where there is none.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "nets/cuda/loader.h"

namespace chuhe {
namespace {

TEST(CudaDeviceTest, EveryDeviceIsDescribedAndComputesRight) {
  const absl::StatusOr<CudaLibrary> library = CudaLibrary::Open(CHUHE_CUDA_LIBRARY);
  ASSERT_TRUE(library.ok()) << library.status();
  const absl::StatusOr<std::vector<CudaDevice>> devices = library->ListDevices();
  if (absl::IsUnavailable(devices.status())) {
    GTEST_SKIP() << "no GPU: " << devices.status();
  }
  ASSERT_TRUE(devices.ok()) << devices.status();
  ASSERT_FALSE(devices->empty());
  for (size_t i = 0; i < devices->size(); ++i) {
    const CudaDevice& device = (*devices)[i];
    EXPECT_NE(device.name, "");
    EXPECT_GT(device.memory_bytes, uint64_t{1} << 30);
    EXPECT_GE(device.compute_major, 5);
    EXPECT_EQ(library->SelfTest(static_cast<int>(i)), absl::OkStatus());
  }
}

}  // namespace
}  // namespace chuhe
