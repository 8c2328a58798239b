#include "nets/torch/runtime.h"

#include <exception>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "torch/cuda.h"
#include "torch/version.h"

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

namespace chuhe {

absl::Status LoadTorchCudaBackend() {
#if defined(_WIN32)
  return absl::UnimplementedError("torch's CUDA backend is not loaded on this system");
#else
  // Global, as the backend's own libraries look for each other's symbols. It is never closed: torch
  // keeps pointers into it.
  if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    return absl::NotFoundError(absl::StrCat("torch's CUDA backend does not load: ", dlerror()));
  }
  return absl::OkStatus();
#endif
}

absl::StatusOr<TorchRuntimeInfo> GetTorchRuntimeInfo() {
  TorchRuntimeInfo info{.version = TORCH_VERSION};
  const absl::Status loaded = LoadTorchCudaBackend();
  if (!loaded.ok()) {
    info.cuda_obstacle = std::string(loaded.message());
    return info;
  }
  try {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): the count is a number in a signed char.
    info.cuda_devices = static_cast<int>(torch::cuda::device_count());
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("LibTorch, counting CUDA devices: ", error.what()));
  }
  if (info.cuda_devices == 0) {
    info.cuda_obstacle = "no CUDA device, or no driver for it";
  }
  return info;
}

}  // namespace chuhe
