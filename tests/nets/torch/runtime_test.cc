#include "nets/torch/runtime.h"

#include "ATen/ATen.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "torch/version.h"

namespace chuhe {
namespace {

// Compiler, headers and libraries of LibTorch belong together: the arithmetic runs.
TEST(TorchRuntimeTest, TensorsCompute) {
  const at::Tensor a = at::arange(6, at::kFloat).reshape({2, 3});
  const at::Tensor product = a.matmul(a.t());
  EXPECT_EQ(product.sizes(), at::IntArrayRef({2, 2}));
  EXPECT_EQ(product[1][1].item<float>(), 50.0f);
}

TEST(TorchRuntimeTest, ReportsVersionAndDevicesOrWhyThereAreNone) {
  const absl::StatusOr<TorchRuntimeInfo> info = GetTorchRuntimeInfo();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->version, TORCH_VERSION);
  EXPECT_EQ(info->cuda_obstacle.empty(), info->cuda_devices > 0) << info->cuda_obstacle;
}

TEST(TorchRuntimeTest, BackendThatDoesNotLoadIsNamed) {
  const absl::Status status = LoadTorchCudaBackend();
  if (status.ok()) {
    GTEST_SKIP() << "torch's CUDA backend is installed here";
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), testing::StartsWith("torch's CUDA backend does not"));
}

}  // namespace
}  // namespace chuhe
