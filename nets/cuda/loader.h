// Opens libchuhe_cuda.so when CUDA is asked for, and only then.
//
// `chuhe` links no CUDA library, so a program built with CUDA also starts on machines without it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nets/cuda/api.h"

namespace chuhe {

struct CudaDevice {
  std::string name;
  uint64_t memory_bytes = 0;
  int compute_major = 0;
  int compute_minor = 0;
};

// The opened library. Immutable, thread-safe, cheap to copy; the library stays loaded until the
// process ends, since the CUDA runtime does not bear to be unloaded.
class CudaLibrary {
 public:
  // Looks beside the program and where the system looks for libraries; an absolute path is taken as
  // it is. NotFound, with the loader's words, where the library or one that it needs is missing;
  // FailedPrecondition where it is of another version of Chuhe.
  static absl::StatusOr<CudaLibrary> Open(const std::string& path = "libchuhe_cuda.so");

  // The devices in CUDA's order. Unavailable, with CUDA's reason, where there is no driver or no
  // device.
  absl::StatusOr<std::vector<CudaDevice>> ListDevices() const;

  // Runs a kernel on the device and checks its result. Blocks until it is done.
  absl::Status SelfTest(int device) const;

  // For who evaluates: cuda_evaluator.h.
  const CudaApiFunctions& functions() const { return functions_; }

 private:
  explicit CudaLibrary(const CudaApiFunctions& functions) : functions_(functions) {}

  CudaApiFunctions functions_;
};

}  // namespace chuhe
