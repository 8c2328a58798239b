#include "nets/cuda/loader.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nets/cuda/api.h"

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

namespace chuhe {
namespace {

constexpr int kMaxDevices = 64;

// The function of that name as `Function`, a pointer type.
template <typename Function>
absl::StatusOr<Function> FindFunction(void* library, const std::string& path, const char* name) {
#if defined(_WIN32)
  return absl::UnimplementedError("libraries are not loaded on this system");
#else
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(path, " has no function ", name));
  }
  return reinterpret_cast<Function>(symbol);
#endif
}

}  // namespace

absl::StatusOr<CudaLibrary> CudaLibrary::Open(const std::string& path) {
#if defined(_WIN32)
  return absl::UnimplementedError(absl::StrCat(path, " is not loaded on this system"));
#else
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return absl::NotFoundError(absl::StrCat("the CUDA part does not load: ", dlerror()));
  }
  CHUHE_ASSIGN_OR_RETURN(const auto version,
                         FindFunction<int (*)()>(library, path, "chuhe_cuda_api_version"));
  if (version() != kCudaApiVersion) {
    return absl::FailedPreconditionError(absl::StrCat(path, " has interface version ", version(),
                                                      ", this program needs ", kCudaApiVersion));
  }
  CHUHE_ASSIGN_OR_RETURN(const auto list_devices, FindFunction<ListDevicesFunction>(
                                                      library, path, "chuhe_cuda_list_devices"));
  CHUHE_ASSIGN_OR_RETURN(const auto self_test,
                         FindFunction<SelfTestFunction>(library, path, "chuhe_cuda_self_test"));
  return CudaLibrary(list_devices, self_test);
#endif
}

absl::StatusOr<std::vector<CudaDevice>> CudaLibrary::ListDevices() const {
  std::vector<CudaApiDevice> found(kMaxDevices);
  char error[kCudaTextSize] = "";
  const int count = list_devices_(found.data(), kMaxDevices, error);
  if (count < 0) {
    return absl::UnavailableError(error);
  }
  found.resize(std::min(count, kMaxDevices));
  std::vector<CudaDevice> devices;
  devices.reserve(found.size());
  for (const CudaApiDevice& device : found) {
    devices.push_back({.name = device.name,
                       .memory_bytes = device.memory_bytes,
                       .compute_major = device.compute_major,
                       .compute_minor = device.compute_minor});
  }
  return devices;
}

absl::Status CudaLibrary::SelfTest(int device) const {
  char error[kCudaTextSize] = "";
  if (self_test_(device, error) < 0) {
    return absl::InternalError(absl::StrCat("CUDA device ", device, ": ", error));
  }
  return absl::OkStatus();
}

}  // namespace chuhe
