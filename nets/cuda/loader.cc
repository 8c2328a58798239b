#include "nets/cuda/loader.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

namespace chuhe {
namespace {

constexpr int kMaxDevices = 64;

#if !defined(_WIN32)
// Sets `*function`, a pointer, to the function of that name.
template <typename Function>
absl::Status FindFunction(void* library, const std::string& path, const char* name,
                          Function* function) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(path, " has no function ", name));
  }
  *function = reinterpret_cast<Function>(symbol);
  return absl::OkStatus();
}
#endif

}  // namespace

absl::StatusOr<CudaLibrary> CudaLibrary::Open(const std::string& path) {
#if defined(_WIN32)
  return absl::UnimplementedError(absl::StrCat(path, " is not loaded on this system"));
#else
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return absl::NotFoundError(absl::StrCat("the CUDA part does not load: ", dlerror()));
  }
  const auto find = [library, &path](const char* name, auto* function) {
    return FindFunction(library, path, name, function);
  };
  decltype(&chuhe_cuda_api_version) version = nullptr;
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_api_version", &version));
  if (version() != kCudaApiVersion) {
    return absl::FailedPreconditionError(absl::StrCat(path, " has interface version ", version(),
                                                      ", this program needs ", kCudaApiVersion));
  }
  CudaApiFunctions functions = {};
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_list_devices", &functions.list_devices));
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_self_test", &functions.self_test));
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_create", &functions.create));
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_destroy", &functions.destroy));
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_input", &functions.input));
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_output", &functions.output));
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_submit", &functions.submit));
  CHUHE_RETURN_IF_ERROR(find("chuhe_cuda_wait", &functions.wait));
  return CudaLibrary(functions);
#endif
}

absl::StatusOr<std::vector<CudaDevice>> CudaLibrary::ListDevices() const {
  std::vector<CudaApiDevice> found(kMaxDevices);
  char error[kCudaTextSize] = "";
  const int count = functions_.list_devices(found.data(), kMaxDevices, error);
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
  if (functions_.self_test(device, error) < 0) {
    return absl::InternalError(absl::StrCat("CUDA device ", device, ": ", error));
  }
  return absl::OkStatus();
}

}  // namespace chuhe
